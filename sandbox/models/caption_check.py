"""Finds words and numbers of a model's description that are not printed in the figure.

Numbers are always checked. Words that every description uses (chart, axis, shows, highest;
長條圖、橫軸、顯示、最高) and function words are not.
"""

import re
import unicodedata

from sandbox.text.languages import CJK, fold_for_search
from sandbox.text.quantities import find_digits
from sandbox.text.tokenization import tokenize

_LATIN_WORD = re.compile(r"[A-Za-z][A-Za-z'’-]{2,}")
_LIST_MARK = re.compile(r"^\s*(\d+)[.)、]\s", re.MULTILINE)
_HAN_RUN = re.compile(f"[{CJK}]{{2,}}")

_WORDS = """
    about above across after again all almost along also although among and angled another any
    appears are area areas around axes axis background bar bars because been before being below
    between black blue bold both bottom box boxes but can caption categories category center
    chart charts circle circles clearly color colored colors colour coloured colours column
    columns compared comparison contains corner corresponding could dark dashed data decrease
    decreased decreases decreasing depict depicted depicting depicts description did different
    display displayed displaying displays does dot dots down drop dropped drops each either else
    every fall falling falls fell figure first followed following for four from further
    gradually graph gray green grew grey grid gridlines grow grows had has have having here high
    higher highest horizontal how however image include included includes including increase
    increased increases increasing indicate indicated indicates indicating into its itself key
    label labeled labelled labels largest last least left legend less light line lines listed
    lists low lower lowest many map marked markers maximum middle minimum more most much near
    nearly next not note number numbers numerical observed off one ones only onto orange other
    others out over overall part peak peaked peaks per period pie plot plotted points presented
    presents print printed purple range ranges ranging reach reached reaches reader recorded
    rectangles red remain remained remains represent represented representing represents
    respectively right rise rises rising rose row rows same scale second section see seen
    segment segments series several shade shaded shades shading show showed showing shown shows
    side similar single slice slightly smallest some spanning specific starting starts such text
    than that the their them then there these they third this those three through tick ticks
    time title titled top total toward towards trend trends two under unit units until upper use
    used using value values varies various vary version versus vertical very was were what when
    where which while white who whole whose will with within without x-axis y-axis year years
    yellow yet
"""
_SMALL_WORDS = frozenset(_WORDS.split())
_HAN_PHRASES = """
    這張 這是 這個 此圖 本圖 圖中 圖表 圖片 圖例 圖說 標題 標示 顯示 呈現 描述 說明 表示 代表
    展示 列出 分別 依序 其中 以及 長條圖 直條圖 柱狀圖 條形圖 折線圖 圓餅圖 地圖 圖 橫軸 縱軸
    水平軸 垂直軸 座標軸 坐標軸 坐標 軸 刻度 單位 數值 數字 數據 資料 數量 類別 最高 最低 最多
    最少 最大 最小 較高 較低 較多 較少 較大 較小 高於 低於 大於 小於 約為 大約 大致 之間 介於
    範圍 上升 下降 增加 減少 成長 趨勢 變化 逐漸 逐年 明顯 先升 後降 高峰 峰值 低點 谷底 達到
    達 為止 整體 總體 總計 合計 共有 共計 左側 右側 上方 下方 左邊 右邊 上面 下面 中間 頂端
    底部 左 右 上 下 藍色 紅色 綠色 黃色 橙色 橘色 紫色 灰色 黑色 白色 深色 淺色 顏色 色塊
    柱子 長條 條狀 線條 曲線 節點 標籤 對應 每個 每一 各個 各 不同 相同 同樣 一個 一張 一條
    兩個 兩條 三個 多個 所有 全部 年份 年度 年 月份 月 從 到 至 由 在 於 與 和 及 或 的 是 為
    了 有 無 沒有 並 而 則 也 又 再 更 最 其 它 他 她 此 該 這 那 個 可以 可見 看出 看到 得知
    以 用 被 把 將 對 比 隨 著 隨著 時間 期間 接著 然後 首先 最後 次之 其次 依次 排名 第一
    第二 第三 位
"""
_SMALL_HAN = re.compile(
    "|".join(
        sorted(
            {*_HAN_PHRASES.split(), *fold_for_search(_HAN_PHRASES).split()}, key=len, reverse=True
        )
    )
)


def find_unprinted(description: str, printed: str) -> tuple[str, ...]:
    """Numbers and content words of a description that the printed text does not hold.

    >>> find_unprinted("The map shows population density: 12.5", "Cases per 100,000: 12.5")
    ('population', 'density')

    Args:
        description: A model's words.
        printed: All text in the figure, and its caption.

    Returns:
        In order of appearance, each once.
    """
    description = unicodedata.normalize("NFKC", description)
    printed = unicodedata.normalize("NFKC", printed)
    unprinted = [
        *_unprinted_numbers(description, printed),
        *_unprinted_words(description, printed),
        *_unprinted_han(description, printed),
    ]
    return tuple(dict.fromkeys(word for _, word in sorted(unprinted)))


def _unprinted_numbers(description: str, printed: str) -> list[tuple[int, str]]:
    printed_values = {number.value for number in find_digits(printed)}
    listed = {match.start(1) for match in _LIST_MARK.finditer(description)}
    return [
        (number.start, number.text)
        for number in find_digits(description)
        if number.start not in listed and number.value not in printed_values
    ]


def _unprinted_words(description: str, printed: str) -> list[tuple[int, str]]:
    printed_terms = set(tokenize(printed))
    return [
        (match.start(), match[0])
        for match in _LATIN_WORD.finditer(description)
        if match[0].lower() not in _SMALL_WORDS
        and not printed_terms.intersection(tokenize(match[0]))
    ]


def _unprinted_han(description: str, printed: str) -> list[tuple[int, str]]:
    """Stretches of two or more characters of which no two stand together in the figure."""
    printed_terms = set(tokenize(printed))
    unprinted = []
    for run in _HAN_RUN.finditer(_SMALL_HAN.sub(lambda match: " " * len(match[0]), description)):
        text, start = run[0], 0
        covered = [False] * len(text)
        for index in range(len(text) - 1):
            if fold_for_search(text[index : index + 2]) in printed_terms:
                covered[index] = covered[index + 1] = True
        for index in range(len(text) + 1):
            if index == len(text) or covered[index]:
                if index - start >= 2:
                    unprinted.append((run.start() + start, text[start:index]))
                start = index + 1
    return unprinted
