"""The outbreak test set on pages 1 and 2, written from the table of facts."""

from cases import Question, in_text

from outbreak import facts


def front_questions() -> list[Question]:
    """Totals, severity, procedure, table 1, vaccination; then figure 1 and genotypes."""
    return [*_totals(), *_procedure(), *_ages(), *_figure_values(), *_figure_ranks(), *_genotypes()]


def _totals() -> list[Question]:
    return [
        in_text([1], "total", "全年接獲多少件麻疹通報？", "437件。", "437件|437 件|437"),
        in_text([1], "total", "檢驗後排除了幾件？", "317件。", "317件|317 件|317"),
        in_text([1], "total", "有多少通報件數是由診所通報的？", "82件。", "82件|82 件|八十二件"),
        in_text([1], "sex", "女性確定病例占多少百分比？", "42.5%。", "42.5%|42.5％|42.5 %|42.5"),
        in_text(
            [1], "severity", "有幾位病人需要住院？", "46例。", "46例|46 例|46人|46位|46名|四十六例"
        ),
        in_text(
            [1], "severity", "住院的病人平均住了幾天？", "5.4日。", "5.4日|5.4天|5.4 日|5.4 天|5.4"
        ),
        in_text(
            [1],
            "severity",
            "併發肺炎的有幾例？",
            f"{facts.PNEUMONIA}例。",
            "11例|11 例|11人|11位|11名|十一例",
        ),
        in_text(
            [1],
            "occupation",
            "受感染的醫護人員有幾人？",
            f"{facts.HEALTH_WORKERS}例。",
            "8例|8 例|8人|8位|8名|八例|八人|八位",
        ),
        Question(
            category="comparison",
            text="男性確定病例比女性多幾例？",
            reference=f"多{facts.MEN - facts.WOMEN}例（{facts.MEN}減{facts.WOMEN}）。",
            accepted=["18例", "18 例", "18人", "18位", "十八例"],
            pages=[1],
            quotes=["男性69例", "女性51例"],
        ),
    ]


def _procedure() -> list[Question]:
    return [
        in_text(
            [1],
            "procedure",
            "醫師發現疑似個案後，應在多久之內通報？",
            "24小時內。",
            "24小時|24 小時|二十四小時|一天內",
        ),
        in_text(
            [1],
            "procedure",
            "檢驗中心從收到檢體到完成核酸檢測，平均需要幾天？",
            f"平均{facts.TEST_DAYS}日。",
            "1.6日|1.6天|1.6 日|1.6 天|1.6",
        ),
        Question(
            category="procedure",
            text="通報麻疹時要採集哪些檢體？",
            reference="咽喉拭子、尿液及血清。",
            accepted=["咽喉拭子、尿液及血清", "咽喉拭子、尿液和血清", "咽喉拭子、尿液、血清"],
            pages=[1],
        ),
    ]


def _ages() -> list[Question]:
    table = {group.name: group for group in facts.AGE_GROUPS}
    return [
        in_text(
            [1],
            "table",
            "表一中，30至39歲的確定病例有幾例？",
            f"{table['30至39歲'].cases}例。",
            "28例|28 例|28|二十八例",
        ),
        in_text(
            [1],
            "table",
            "未滿1歲的嬰兒有幾例確定病例？",
            f"{table['未滿1歲'].cases}例。",
            "14|14例|14 例|十四例",
        ),
        in_text([1], "table", "1至4歲占全部確定病例的百分之幾？", "14.2%。", "14.2|14.2%|14.2％"),
        Question(
            category="table",
            text="40至49歲的病例當中，有幾例未接種疫苗？",
            reference=f"{table['40至49歲'].unvaccinated}例。",
            accepted=["5例", "5 例", "5人", "5位", "五例", "五人"],
            pages=[1],
            quotes=["40至49歲 9 7.5 5"],
        ),
        Question(
            category="table",
            text="哪一個年齡層的病例數最少？",
            reference="50歲以上，只有3例。",
            accepted=["50歲以上", "50 歲以上", "五十歲以上"],
            pages=[1],
        ),
        in_text(
            [1],
            "vaccination",
            "確定病例中未曾接種疫苗的有幾例？",
            f"{facts.UNVACCINATED}例。",
            "55例|55 例|55人|55|五十五例",
        ),
        Question(
            category="vaccination",
            text="打過兩劑疫苗仍然感染的有多少人？",
            reference=f"{facts.TWO_DOSES}例。",
            accepted=["20例", "20 例", "20人", "20位", "二十例"],
            pages=[1],
            quotes=["接種兩劑者20例"],
        ),
    ]


def _figure_values() -> list[Question]:
    cases = dict(zip(facts.YEARS, facts.CASES_BY_YEAR, strict=True))
    asked = {
        108: "圖一中，民國108年的確定病例是幾例？",
        104: "民國104年有多少麻疹確定病例？",
        106: "106年全市出現幾例麻疹？",
        111: "民國111年的病例數是多少？",
    }
    return [
        _in_figure(
            "chart value", text, f"{cases[year]}例。", _counted(cases[year]), [year, cases[year]]
        )
        for year, text in asked.items()
    ]


def _figure_ranks() -> list[Question]:
    cases = dict(zip(facts.YEARS, facts.CASES_BY_YEAR, strict=True))
    peak, low = facts.PEAK_YEAR, facts.LOW_YEAR
    second = sorted(cases, key=lambda year: -cases[year])[1]
    return [
        _in_figure(
            "peak value",
            "歷年病例數最高的那一年有幾例？",
            f"{cases[peak]}例（民國{peak}年）。",
            _counted(cases[peak]),
            [peak, cases[peak]],
        ),
        _in_figure(
            "low year",
            "103年到112年間，麻疹病例最少的是哪一年？",
            f"民國{low}年，{cases[low]}例。",
            _year(low),
            [low, cases[low]],
        ),
        _in_figure(
            "second year",
            "圖一中病例數第二多的是民國哪一年？",
            f"民國{second}年，{cases[second]}例。",
            _year(second),
            [second, cases[second]],
        ),
        Question(
            category="comparison",
            text="民國113年的確定病例比前一年多幾例？",
            reference=f"多{facts.CONFIRMED - cases[112]}例（{facts.CONFIRMED}減{cases[112]}）。",
            accepted=["56例", "56 例", "56"],
            source="both",
            pages=[1, 2],
            quotes=["確定120例"],
            printed=["112", str(cases[112])],
        ),
    ]


def _in_figure(
    category: str, text: str, reference: str, accepted: list[str], printed: list[int]
) -> Question:
    return Question(
        category=category,
        text=text,
        reference=reference,
        accepted=accepted,
        source="image",
        pages=[2],
        printed=[str(number) for number in printed],
    )


def _counted(cases: int) -> list[str]:
    return [f"{cases}例", f"{cases} 例", str(cases)]


def _year(year: int) -> list[str]:
    return [f"{year}年", str(year), str(year + 1911)]


def _genotypes() -> list[Question]:
    return [
        in_text(
            [2],
            "genotype",
            "完成定序的病毒株中，B3基因型有幾株？",
            f"{facts.GENOTYPE_B3}株。",
            "61株|61 株|61|六十一株",
        ),
        in_text(
            [2],
            "genotype",
            "共完成幾株病毒的序列分析？",
            f"{facts.SEQUENCED}株。",
            "98株|98 株|98|九十八株",
        ),
        in_text(
            [2],
            "cause",
            "疫情最嚴重的那一年，源頭是從事什麼工作的人？",
            "一名自國外返國的航空公司地勤人員。",
            "地勤人員|地勤",
        ),
    ]
