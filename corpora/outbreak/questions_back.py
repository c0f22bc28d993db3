"""The outbreak test set on pages 3 and 4, written from the table of facts."""

from cases import Question, in_text

from outbreak import facts


def back_questions() -> list[Question]:
    """Months, sources, districts, the map, clusters and measures."""
    return [*_months(), *_sources(), *_map(), *_districts(), *_clusters()]


def _months() -> list[Question]:
    months = facts.CASES_BY_MONTH
    values = [
        Question(
            category="month value",
            text=text,
            reference=f"{months[month - 1]}例。",
            accepted=[f"{months[month - 1]}例", f"{months[month - 1]} 例", chinese],
            source="both",
            pages=[3],
            quotes=[f"{month}月{months[month - 1]}例"],
        )
        for month, text, chinese in (
            (4, "4月份有幾例發病？", "二十六例"),
            (7, "圖二中，7月的確定病例數是多少？", "九例"),
            (3, "三月有多少確定病例？", "十一例"),
        )
    ]
    return [
        *values,
        Question(
            category="comparison",
            text="5月的病例比6月多幾例？",
            reference=f"多{months[4] - months[5]}例（{months[4]}減{months[5]}）。",
            accepted=["12例", "12 例", "十二例"],
            source="both",
            pages=[3],
            quotes=["5月31例", "6月19例"],
        ),
        in_text(
            [3],
            "month",
            "4月到6月三個月合計占全年病例的多少百分比？",
            f"63.3%（{sum(months[3:6])}例）。",
            "63.3%|63.3％|63.3 %|63.3",
        ),
        in_text(
            [3],
            "cause",
            "疫情自3月下旬升溫，報告認為與什麼有關？",
            "與清明連假後的返國人潮有關。",
            "清明",
        ),
    ]


def _sources() -> list[Question]:
    return [
        in_text(
            [3],
            "source of infection",
            "境外移入的個案共有幾例？",
            f"{facts.IMPORTED}例。",
            "23例|23 例|23|二十三例",
        ),
        in_text(
            [3],
            "source of infection",
            "本土病例裡，感染源不明的有多少？",
            f"{facts.LOCAL_UNKNOWN}例。",
            "32例|32 例|32|三十二例",
        ),
        in_text(
            [3],
            "source of infection",
            "與境外移入個案有流行病學關聯的本土病例有幾例？",
            f"{facts.LOCAL_LINKED}例。",
            "65例|65 例|65|六十五例",
        ),
        in_text(
            [3],
            "country of import",
            "在菲律賓感染的境外移入個案有幾例？",
            f"{facts.COUNTRIES['菲律賓']}例。",
            "6例|6 例|6人|六例|六人",
        ),
        in_text(
            [3],
            "source of infection",
            "境外移入個案從入境到發病平均隔幾天？",
            f"平均{facts.IMPORT_DAYS}日。",
            "6.3日|6.3天|6.3 日|6.3 天|6.3",
        ),
    ]


def _map() -> list[Question]:
    return [
        Question(
            category="map legend",
            text="圖三的發生率是以多少人口為單位計算的？",
            reference="每十萬人口。",
            accepted=["每十萬人口", "每十萬人", "十萬人口", "十萬", "每10萬", "100,000"],
            source="image",
            pages=[4],
            printed=["每十萬人口"],
        ),
        Question(
            category="map legend",
            text="圖三圖例中，顏色最深的一級代表發生率多少？",
            reference="6.0以上（每十萬人口）。",
            accepted=["6.0以上", "6.0 以上", "6以上", "6.0及以上", "大於6", "≥6"],
            source="image",
            pages=[4],
            printed=["6.0以上"],
        ),
        Question(
            category="map color",
            text="地圖（圖三）上顏色最深的是哪一個行政區？",
            reference="月港區，屬於6.0以上的最高一級。",
            accepted=["月港區", "月港"],
            source="both",
            pages=[4],
            quotes=["月港區38例最多"],
            printed=["月港區"],
        ),
        Question(
            category="map legend",
            text="圖三的圖例把發生率分成幾級？",
            reference=f"{len(facts.MAP_CLASSES)}級。",
            accepted=["5級", "5 級", "五級", "5個", "五個", "5類", "五類"],
            source="image",
            pages=[4],
            printed=list(facts.MAP_CLASSES),
        ),
        Question(
            category="map place",
            text="在圖三的地圖上，緊鄰月港區北邊的是哪一個行政區？",
            reference="石墩區。",
            accepted=["石墩區", "石墩"],
            source="image",
            pages=[4],
            printed=["石墩區", "月港區"],
        ),
        Question(
            category="map place",
            text="圖三地圖的西南角是哪一個行政區？",
            reference="白鷺區。",
            accepted=["白鷺區", "白鷺"],
            source="image",
            pages=[4],
            printed=["白鷺區"],
        ),
    ]


def _districts() -> list[Question]:
    cases = facts.DISTRICT_CASES
    return [
        in_text(
            [4],
            "district",
            "病例數第二多的行政區是哪裡？",
            f"楓橋區，{cases['楓橋區']}例。",
            "楓橋區|楓橋",
        ),
        in_text(
            [4],
            "district",
            "北渡區有幾例確定病例？",
            f"{cases['北渡區']}例。",
            "16例|16 例|16|十六例",
        ),
        in_text(
            [4],
            "district",
            "哪一個行政區整年都沒有確定病例？",
            "鹿鳴區。",
            "鹿鳴區|鹿鳴",
        ),
        in_text(
            [4],
            "district",
            "月港區的病例占全市的百分之幾？",
            "31.7%（38例）。",
            "31.7%|31.7％|31.7 %|31.7",
        ),
    ]


def _clusters() -> list[Question]:
    return [
        in_text(
            [4],
            "clusters",
            "群聚事件一共造成多少例確定病例？",
            f"{facts.CLUSTER_CASES}例。",
            "41例|41 例|41|四十一例",
        ),
        in_text(
            [4],
            "clusters",
            "規模最大的群聚發生在什麼樣的地方？",
            f"月港區的一所區域醫院，計{facts.LARGEST_CLUSTER}例。",
            "區域醫院|醫院",
        ),
        in_text([4], "clusters", "兩起學校群聚合計有幾例？", "11例。", "11例|11 例|十一例"),
        in_text(
            [4],
            "clusters",
            "群聚事件從首例發病到解除列管，平均歷時幾天？",
            f"{facts.CLUSTER_DAYS}日。",
            "45日|45天|45 日|45 天|四十五日|四十五天",
        ),
        in_text(
            [4],
            "measures",
            "總共追蹤了多少名接觸者？",
            "8,642人。",
            "8,642人|8642|8,642",
        ),
        in_text(
            [4],
            "measures",
            "有多少接觸者施打了免疫球蛋白？",
            f"{facts.CONTACTS_GLOBULIN}人。",
            "83人|83 人|83名|83位|八十三人",
        ),
        in_text(
            [4],
            "vaccination",
            "幼兒第二劑疫苗的接種率是多少？",
            f"{facts.COVERAGE_SECOND}%。",
            "96.4%|96.4％|96.4 %|96.4",
        ),
        in_text(
            [4],
            "measures",
            "擴大接種期間設了幾場社區門診？",
            f"{facts.CLINIC_SESSIONS}場。",
            "18場|18 場|十八場",
        ),
    ]
