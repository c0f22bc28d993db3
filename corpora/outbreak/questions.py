"""The outbreak test set: the published experiment's eight kinds, then more in the same spirit."""

from cases import Question, in_text, unanswerable

from outbreak import facts
from outbreak.questions_back import back_questions
from outbreak.questions_front import front_questions


def questions() -> list[Question]:
    """All questions: the eight kinds of the published experiment first."""
    return [*_eight_kinds(), *front_questions(), *back_questions(), *_absent()]


def _eight_kinds() -> list[Question]:
    peak, most = facts.PEAK_YEAR, max(facts.CASES_BY_YEAR)
    return [
        Question(
            category="top district",
            text="民國113年哪一個行政區的麻疹確定病例最多？",
            reference=f"月港區最多，{facts.DISTRICT_CASES['月港區']}例。",
            accepted=["月港區", "月港"],
            source="both",
            pages=[4],
            printed=["月港區"],
            quotes=["確定病例以月港區38例最多"],
        ),
        Question(
            category="peak year",
            text="民國103年至112年之間，哪一年的麻疹確定病例最多？",
            reference=f"民國{peak}年最多，{most}例。",
            accepted=[f"{peak}年", f"{peak}", f"{peak + 1911}"],
            source="image",
            pages=[2],
            printed=[str(peak), str(most)],
        ),
        in_text(
            [1],
            "sex",
            "確定病例中男性多還是女性多？",
            f"男性較多：男性{facts.MEN}例，女性{facts.WOMEN}例。",
            f"男性{facts.MEN}例|男性較多|男性多|男性比女性多|以男性|男性為多|男性占57.5%|男性",
        ),
        in_text(
            [1],
            "age",
            "哪一個年齡層的麻疹確定病例最多？",
            "20至29歲最多，34例，占28.3%。",
            "20至29歲|20-29歲|20–29歲|20～29歲|20到29歲|二十至二十九歲",
        ),
        Question(
            category="month",
            text="麻疹病例集中在哪一個月發病最多？",
            reference="5月最多，31例。",
            accepted=["5月", "五月", "5 月"],
            source="both",
            pages=[3],
            quotes=["以5月31例最多"],
        ),
        in_text(
            [3],
            "country of import",
            "境外移入個案的感染國家以哪一國最多？",
            f"越南最多，{facts.COUNTRIES['越南']}例。",
            "越南",
        ),
        in_text(
            [4],
            "clusters",
            "全年共發生幾起麻疹群聚事件？",
            f"{facts.CLUSTERS}起，累計確定病例{facts.CLUSTER_CASES}例。",
            "7起|7 起|七起|7件|七件",
        ),
        in_text(
            [1],
            "total",
            "民國113年全市麻疹確定病例共有幾例？",
            f"{facts.CONFIRMED}例。",
            "120例|120 例|120|一百二十例",
        ),
    ]


def _absent() -> list[Question]:
    return [
        unanswerable(text, "文件中沒有這項資料。")
        for text in (
            "民國113年全市登革熱確定病例有幾例？",
            "麻疹個案的平均醫療費用是多少元？",
            "民國102年的麻疹確定病例有幾例？",
            "月港區有多少人口？",
            "東礁區的麻疹疫苗接種率是多少？",
            "本市公共衛生檢驗中心的主任是誰？",
            "因麻疹停課的班級有幾班？",
            "民國114年預估會有幾例麻疹？",
        )
    ]
