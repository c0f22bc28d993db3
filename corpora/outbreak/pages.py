"""The four pages of the outbreak corpus: a chapter of a city's disease surveillance report."""

from collections.abc import Sequence

import pymupdf
from drawing import (
    MUTED,
    Style,
    finish,
    put_box,
    put_line,
    put_paragraph,
    put_picture,
    put_table,
    put_text,
)

from outbreak import facts
from outbreak.figures import TEAL, district_map, draw_monthly_chart, yearly_chart

FILE = "outbreak-zh.pdf"
_WIDTH, _HEIGHT = 595.0, 842.0
_LEFT, _RIGHT = 68.0, 527.0
_COLUMN = _RIGHT - _LEFT
_BODY = Style(size=11, leading=1.75, indent=2)
_HEADING = Style(size=13, bold=True, color=TEAL)
_CAPTION = Style(size=10.5)
_NOTE = Style(size=8, color=MUTED)


def build() -> bytes:
    """The PDF's bytes."""
    document = pymupdf.open()
    for number, fill_page in enumerate((_first, _second, _third, _fourth), start=1):
        page = document.new_page(width=_WIDTH, height=_HEIGHT)
        _furniture(page, number)
        fill_page(page)
    return finish(
        document,
        f"{facts.CITY}傳染病監測年報：第三章 麻疹",
        "虛構城市之示範文件，所有數據均為虛構",
    )


def _furniture(page: pymupdf.Page, number: int) -> None:
    put_text(page, (_LEFT, 46), f"{facts.CITY}傳染病監測年報　民國{facts.YEAR}年", _NOTE)
    put_text(page, (_RIGHT, 46), "第三章　麻疹", _NOTE, align="right")
    put_line(page, (_LEFT, 53), (_RIGHT, 53))
    put_line(page, (_LEFT, 795), (_RIGHT, 795))
    put_text(page, (_LEFT, 808), "示範文件：城市、行政區及數據均為虛構", _NOTE)
    put_text(page, (_RIGHT, 808), str(number), _NOTE, align="right")


def _section(page: pymupdf.Page, top: float, title: str, paragraphs: Sequence[str]) -> float:
    put_text(page, (_LEFT, top + _HEADING.size), title, _HEADING)
    top += 25
    for paragraph in paragraphs:
        top = put_paragraph(page, (_LEFT, top), _COLUMN, paragraph, _BODY) + 4
    return top + 10


def _caption(page: pymupdf.Page, baseline: float, text: str) -> None:
    put_text(page, (_WIDTH / 2, baseline), text, _CAPTION, align="center")


def _source(page: pymupdf.Page, baseline: float, text: str) -> None:
    put_text(page, (_LEFT, baseline), text, _NOTE)


def _first(page: pymupdf.Page) -> None:
    put_box(page, (_LEFT, 74, _LEFT + 5, 112), fill=TEAL)
    put_text(page, (_LEFT + 16, 103), "第三章　麻疹", Style(size=24, bold=True, color=TEAL))
    top = _section(
        page,
        132,
        "一、監測與通報",
        [
            "麻疹為第二類法定傳染病。凡出現發燒與紅疹，並伴隨咳嗽、流鼻水或結膜炎任一症狀者，醫師應於"
            "24小時內向所在地衛生所通報，並採集咽喉拭子、尿液及血清，送本市公共衛生檢驗中心檢驗。"
            f"檢驗中心自收件起，平均{facts.TEST_DAYS}日完成核酸檢測。本章所稱病例，以發病日歸屬月份與年度，"
            "並以居住地歸屬行政區；同一個案經重複通報者，僅計一次。",
        ],
    )
    top = _section(
        page,
        top,
        "二、年度概況",
        [
            f"民國{facts.YEAR}年全市共接獲麻疹通報{facts.REPORTED}件，經檢驗確定{facts.CONFIRMED}例，"
            f"排除{facts.EXCLUDED}件，無死亡個案。通報來源為醫院{facts.BY_HOSPITALS}件、診所"
            f"{facts.BY_CLINICS}件。確定病例中，男性{facts.MEN}例，占{_percent(facts.MEN)}；女性"
            f"{facts.WOMEN}例，占{_percent(facts.WOMEN)}。住院治療者{facts.HOSPITALIZED}例，平均住院"
            f"{facts.HOSPITAL_DAYS}日；併發肺炎者{facts.PNEUMONIA}例，併發腦炎者{facts.ENCEPHALITIS}例。"
            f"醫護人員感染者計{facts.HEALTH_WORKERS}例。",
        ],
    )
    top = _section(
        page,
        top,
        "三、年齡與疫苗接種",
        [
            f"確定病例以20至29歲{_age('20至29歲')}例最多，占{_percent(_age('20至29歲'))}，其次為30至39歲"
            f"{_age('30至39歲')}例，各年齡層病例數如表一。未滿1歲之個案均因未達接種年齡而未曾接種疫苗。"
            f"依接種紀錄，未曾接種者{facts.UNVACCINATED}例，接種一劑者{facts.ONE_DOSE}例，接種兩劑者"
            f"{facts.TWO_DOSES}例，接種史不明者{facts.UNKNOWN_DOSES}例。",
        ],
    )
    _age_table(page, top + 4)


def _age_table(page: pymupdf.Page, top: float) -> None:
    _caption(page, top + 10, f"表一　民國{facts.YEAR}年各年齡層麻疹確定病例數")
    rows = [["年齡層", "確定病例數", "百分比（%）", "未接種疫苗者"]]
    rows += [
        [group.name, str(group.cases), group.share, str(group.unvaccinated)]
        for group in facts.AGE_GROUPS
    ]
    rows.append(["合計", str(facts.CONFIRMED), "100.0", str(facts.UNVACCINATED)])
    widths = [120, 105, 105, 105]
    left = (_WIDTH - sum(widths)) / 2
    bottom = put_table(
        page,
        (left, top + 18),
        widths,
        rows,
        Style(size=9.5),
        row_height=18.5,
        accent=TEAL,
        strong_rows=[len(rows) - 1],
    )
    put_text(page, (left, bottom + 14), "資料來源：本市傳染病通報系統", _NOTE)


def _second(page: pymupdf.Page) -> None:
    first, last = facts.YEARS[0], facts.YEARS[-1]
    top = _section(
        page,
        74,
        "四、歷年趨勢",
        [
            f"為評估本年度疫情之規模，本節以民國{first}年至{last}年之確定病例數作為比較基準，各年數值見"
            "圖一。十年間病例數起伏甚大，最高與最低之年度相差逾十倍。疫情最嚴重之年度，起因為一名自國外"
            "返國之航空公司地勤人員於發病期間持續上班，引發機場與醫院之連鎖傳播。",
            "其後本市修訂院內感染管制規範，要求急診、小兒科及感染科人員須具備兩劑疫苗紀錄或抗體陽性"
            "證明，並對國際航線之地勤人員提供公費疫苗。國際旅運量大幅減少期間，病例數降至最低；邊境"
            "恢復正常後則再度回升。",
        ],
    )
    _caption(page, top + 10, f"圖一　民國{first}年至{last}年麻疹確定病例數")
    put_picture(page, (_LEFT, top + 18, _RIGHT, top + 278), yearly_chart(_COLUMN, 260))
    _source(page, top + 292, "資料來源：本市傳染病通報系統；以發病日統計")
    _section(
        page,
        top + 314,
        "五、病毒基因型",
        [
            f"本年度完成病毒序列分析者計{facts.SEQUENCED}株，其中B3基因型{facts.GENOTYPE_B3}株，D8基因型"
            f"{facts.GENOTYPE_D8}株。B3基因型病毒與東南亞國家同期流行之序列相近，多見於境外移入個案及其"
            "接觸者；D8基因型病毒則集中於同一起醫院群聚事件及其後續之社區傳播。檢驗中心並將代表性序列"
            "上傳國際麻疹核酸監測資料庫，供比對感染來源。其餘個案因檢體病毒量過低，未能完成定序。",
        ],
    )


def _third(page: pymupdf.Page) -> None:
    months = facts.CASES_BY_MONTH
    listed = "、".join(f"{month}月{cases}例" for month, cases in enumerate(months, start=1))
    top = _section(
        page,
        74,
        "六、月份分布",
        [
            f"病例發病月份以5月{months[4]}例最多，其次為4月{months[3]}例，再次為6月{months[5]}例，三個月"
            f"合計{sum(months[3:6])}例，占全年{_percent(sum(months[3:6]))}。全年各月病例數依序為{listed}"
            "（圖二）。疫情自3月下旬升溫，與清明連假後之返國人潮有關；6月底本市啟動擴大接種，7月起病例數"
            "逐漸減少，11月及12月僅有零星個案。",
        ],
    )
    _caption(page, top + 10, f"圖二　民國{facts.YEAR}年麻疹確定病例發病月份分布")
    draw_monthly_chart(page, (_LEFT, top + 24, _RIGHT, top + 274))
    _source(page, top + 292, "資料來源：本市傳染病通報系統；以發病日統計")
    countries = list(facts.COUNTRIES.items())
    others = "、".join(f"{name}{cases}例" for name, cases in countries[1:])
    _section(
        page,
        top + 314,
        "七、感染來源",
        [
            f"確定病例中境外移入{facts.IMPORTED}例，本土{facts.LOCAL}例。境外移入個案之感染國家以"
            f"{countries[0][0]}{countries[0][1]}例最多，其餘為{others}。本土病例中，與境外移入個案具流行"
            f"病學關聯者{facts.LOCAL_LINKED}例，感染源不明者{facts.LOCAL_UNKNOWN}例。境外移入個案自入境至"
            f"發病之間隔，平均為{facts.IMPORT_DAYS}日；有8成以上於出國前未諮詢旅遊醫學門診，亦未於行前補"
            "接種疫苗。本府已商請旅行公會於出團說明會中納入疫苗接種提醒。",
        ],
    )


def _fourth(page: pymupdf.Page) -> None:
    districts = list(facts.DISTRICT_CASES.items())
    (first, most), (second, next_most), (third, third_most) = districts[:3]
    none = districts[-1][0]
    top = _section(
        page,
        74,
        "八、地區分布",
        [
            f"以居住地統計，確定病例以{first}{most}例最多，占{_percent(most)}，{second}{next_most}例次之，"
            f"{third}{third_most}例居第三；{none}全年無確定病例。各行政區之發生率如圖三，病例集中於沿河之"
            "都會區，北側山區及東側濱海地區則較少。",
        ],
    )
    _caption(page, top + 10, f"圖三　民國{facts.YEAR}年各行政區麻疹確定病例發生率")
    put_picture(page, (_LEFT, top + 18, _RIGHT, top + 258), district_map(_COLUMN, 240))
    _source(page, top + 272, "資料來源：本市傳染病通報系統；人口數採年中人口")
    kinds = "、".join(
        f"{kind}{count}起{cases}例" for kind, (count, cases) in facts.CLUSTER_KINDS.items()
    )
    top = _section(
        page,
        top + 292,
        "九、群聚事件",
        [
            f"本年度共發生麻疹群聚事件{facts.CLUSTERS}起，累計確定病例{facts.CLUSTER_CASES}例，依發生場所"
            f"為{kinds}。規模最大者為{first}一所區域醫院之群聚，計{facts.LARGEST_CLUSTER}例，指標個案為"
            f"急診就醫之境外移入患者。群聚事件自首例發病至解除列管，平均歷時{facts.CLUSTER_DAYS}日。",
        ],
    )
    _section(
        page,
        top,
        "十、防治措施",
        [
            f"本府共追蹤接觸者{facts.CONTACTS:,}人，其中{facts.CONTACTS_VACCINATED:,}人於暴露後72小時內補接"
            f"種疫苗，{facts.CONTACTS_GLOBULIN}人施打免疫球蛋白。幼兒麻疹、腮腺炎、德國麻疹混合疫苗第一劑"
            f"接種率為{facts.COVERAGE_FIRST}%，第二劑為{facts.COVERAGE_SECOND}%。違反通報時限規定之醫療機構"
            f"計{facts.FINES}家，均依法裁處。擴大接種期間共開設社區門診{facts.CLINIC_SESSIONS}場，計"
            f"{facts.CLINIC_DOSES:,}人完成接種。",
        ],
    )


def _percent(cases: int) -> str:
    return f"{cases / facts.CONFIRMED * 100:.1f}%"


def _age(name: str) -> int:
    return next(group.cases for group in facts.AGE_GROUPS if group.name == name)
