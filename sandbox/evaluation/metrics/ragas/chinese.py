"""RAGAS's instructions and examples in Traditional Chinese, by the name of RAGAS's prompt.

RAGAS 0.4.3 can have the judge translate its prompts; a small judge garbles them, so they are
written here once. Simplified Chinese is made from them. An example is the input and the output that
belongs to it.
"""

from collections.abc import Mapping
from dataclasses import dataclass

Fields = Mapping[str, object]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChinesePrompt:
    """What replaces the English text of one prompt."""

    instruction: str
    examples: tuple[tuple[Fields, Fields], ...]


_STATEMENTS = ChinesePrompt(
    instruction=(
        "給定一個問題和一個答案，請分析答案中每一句話，把每句話拆成一個或多個可以獨立理解的陳述。"
        "陳述中不得使用代名詞。請用中文書寫。"
    ),
    examples=(
        (
            {
                "question": "居禮夫人是誰？她以什麼聞名？",
                "answer": "她是出生於波蘭的物理學家和化學家。她以研究放射性聞名，並發現了釙和鐳。",
            },
            {
                "statements": [
                    "居禮夫人是出生於波蘭的物理學家和化學家。",
                    "居禮夫人以研究放射性聞名。",
                    "居禮夫人發現了釙。",
                    "居禮夫人發現了鐳。",
                ]
            },
        ),
    ),
)

_FAITHFULNESS = ChinesePrompt(
    instruction=(
        "請根據給定的內容判斷一組陳述是否忠實。若陳述可以直接由內容推得，verdict 為 1；"
        "若不能直接由內容推得，verdict 為 0。請用中文簡短說明理由。"
    ),
    examples=(
        (
            {
                "context": "小明是大學生，主修資訊工程，本學期修了資料結構和演算法。他很用功。",
                "statements": ["小明主修生物學。", "小明是用功的學生。", "小明有一份兼職工作。"],
            },
            {
                "statements": [
                    {
                        "statement": "小明主修生物學。",
                        "reason": "內容明確說小明主修資訊工程。",
                        "verdict": 0,
                    },
                    {
                        "statement": "小明是用功的學生。",
                        "reason": "內容說他很用功。",
                        "verdict": 1,
                    },
                    {
                        "statement": "小明有一份兼職工作。",
                        "reason": "內容沒有提到兼職工作。",
                        "verdict": 0,
                    },
                ]
            },
        ),
    ),
)

_RELEVANCE = ChinesePrompt(
    instruction=(
        "請為給定的答案用中文寫出一個問題，並判斷答案是否含糊。"
        "若答案迴避、含糊或模稜兩可，noncommittal 為 1；若答案有實質內容，noncommittal 為 0。"
        "含糊的答案例如：「我不知道」、「我不確定」、「資料中沒有提到」。"
    ),
    examples=(
        (
            {"response": "居禮夫人出生於波蘭。"},
            {"question": "居禮夫人出生於哪裡？", "noncommittal": 0},
        ),
        (
            {"response": "這座橋全長 1,200 公尺。"},
            {"question": "這座橋有多長？", "noncommittal": 0},
        ),
        (
            {"response": "我不知道這款手機的新功能，資料中沒有提到。"},
            {"question": "這款手機有什麼新功能？", "noncommittal": 1},
        ),
    ),
)

_USEFULNESS = ChinesePrompt(
    instruction=(
        "給定問題、答案和內容，請判斷內容是否有助於得出該答案。"
        "有用則 verdict 為 1，沒有用則 verdict 為 0。請用中文簡短說明理由。"
    ),
    examples=(
        (
            {
                "question": "居禮夫人得過什麼獎？",
                "context": "居禮夫人於 1903 年獲得諾貝爾物理學獎，1911 年獲得諾貝爾化學獎。",
                "answer": "居禮夫人獲得諾貝爾物理學獎和化學獎。",
            },
            {"reason": "內容列出了她得過的兩個獎，答案由此而來。", "verdict": 1},
        ),
        (
            {
                "question": "世界最高的山是哪一座？",
                "context": "安地斯山脈位於南美洲，是世界上最長的陸地山脈。",
                "answer": "聖母峰。",
            },
            {"reason": "內容談的是安地斯山脈，沒有提到聖母峰。", "verdict": 0},
        ),
    ),
)

_RECALL = ChinesePrompt(
    instruction=(
        "給定內容和答案，請逐一分析答案中的每一句陳述，判斷它能否歸因於給定的內容。"
        "能歸因則 attributed 為 1，不能則為 0。請用中文簡短說明理由。"
    ),
    examples=(
        (
            {
                "question": "居禮夫人得過什麼獎？",
                "context": "居禮夫人於 1903 年獲得諾貝爾物理學獎，1911 年獲得諾貝爾化學獎。",
                "answer": "居禮夫人於 1903 年獲得諾貝爾物理學獎。她於 1895 年結婚。",
            },
            {
                "classifications": [
                    {
                        "statement": "居禮夫人於 1903 年獲得諾貝爾物理學獎。",
                        "reason": "內容中有同樣的敘述。",
                        "attributed": 1,
                    },
                    {
                        "statement": "她於 1895 年結婚。",
                        "reason": "內容沒有提到結婚。",
                        "attributed": 0,
                    },
                ]
            },
        ),
    ),
)

_CORRECTNESS = ChinesePrompt(
    instruction=(
        "給定標準答案的陳述（ground_truth）和答案的陳述（answer），請把每一句陳述歸入一類："
        "TP：出現在答案中，而且有標準答案的陳述直接支持；"
        "FP：出現在答案中，但沒有標準答案的陳述直接支持；"
        "FN：出現在標準答案中，但答案沒有提到。"
        "每句陳述只能屬於一類。請用中文簡短說明理由。"
    ),
    examples=(
        (
            {
                "question": "太陽的能量來自什麼？有什麼作用？",
                "answer": ["太陽的能量來自核分裂。", "太陽為太陽系提供光。"],
                "ground_truth": ["太陽的能量來自核融合。", "太陽提供光和熱。"],
            },
            {
                "TP": [{"statement": "太陽為太陽系提供光。", "reason": "標準答案說太陽提供光。"}],
                "FP": [{"statement": "太陽的能量來自核分裂。", "reason": "標準答案說是核融合。"}],
                "FN": [{"statement": "太陽的能量來自核融合。", "reason": "答案沒有提到核融合。"}],
            },
        ),
        (
            {
                "question": "水的沸點是多少？",
                "answer": ["水在海平面的沸點是攝氏 100 度。"],
                "ground_truth": ["水在海平面的沸點是攝氏 100 度。"],
            },
            {
                "TP": [
                    {"statement": "水在海平面的沸點是攝氏 100 度。", "reason": "與標準答案相同。"}
                ],
                "FP": [],
                "FN": [],
            },
        ),
    ),
)

_CLAIMS = ChinesePrompt(
    instruction=(
        "請把輸入的每一句話拆成一個或多個可以獨立查證的陳述，用中文書寫。"
        "拆分的細度和涵蓋範圍請比照範例。"
    ),
    examples=(
        (
            {
                "response": "居禮夫人是波蘭出生的物理學家。她發現了鐳，也研究放射性。",
                "atomicity": "low",
                "coverage": "low",
            },
            {"claims": ["居禮夫人是物理學家。", "居禮夫人發現了鐳，並研究放射性。"]},
        ),
    ),
)

CHINESE: Mapping[str, ChinesePrompt] = {
    "StatementGeneratorPrompt": _STATEMENTS,
    "NLIStatementPrompt": _FAITHFULNESS,
    "AnswerRelevancePrompt": _RELEVANCE,
    "ContextPrecisionPrompt": _USEFULNESS,
    "ContextRecallPrompt": _RECALL,
    "CorrectnessClassifierPrompt": _CORRECTNESS,
    "ClaimDecompositionPrompt": _CLAIMS,
}
