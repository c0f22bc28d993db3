"""The invented facts of the outbreak corpus: a city that does not exist, and its measles year.

Everything in the PDF and in its test set is written from this table. Sums are checked on import.
"""

from dataclasses import dataclass

CITY = "雲汀市"
YEAR = 113

REPORTED = 437
CONFIRMED = 120
EXCLUDED = 317
BY_HOSPITALS, BY_CLINICS = 355, 82
MEN, WOMEN = 69, 51
HOSPITALIZED, HOSPITAL_DAYS = 46, "5.4"
PNEUMONIA, ENCEPHALITIS, HEALTH_WORKERS = 11, 1, 8
TEST_DAYS = "1.6"

# Confirmed cases of the ten years before: printed on the bars of figure 1 and nowhere in the text.
YEARS = tuple(range(103, 113))
CASES_BY_YEAR = (58, 47, 33, 75, 164, 92, 27, 13, 36, 64)
PEAK_YEAR = YEARS[CASES_BY_YEAR.index(max(CASES_BY_YEAR))]
LOW_YEAR = YEARS[CASES_BY_YEAR.index(min(CASES_BY_YEAR))]

CASES_BY_MONTH = (3, 5, 11, 26, 31, 19, 9, 5, 4, 3, 2, 2)


@dataclass(frozen=True, slots=True)
class AgeGroup:
    """One row of table 1."""

    name: str
    cases: int
    unvaccinated: int

    @property
    def share(self) -> str:
        """Per cent of all confirmed cases, one decimal."""
        return f"{self.cases / CONFIRMED * 100:.1f}"


AGE_GROUPS = (
    AgeGroup("未滿1歲", 14, 14),
    AgeGroup("1至4歲", 17, 12),
    AgeGroup("5至9歲", 6, 4),
    AgeGroup("10至19歲", 9, 3),
    AgeGroup("20至29歲", 34, 7),
    AgeGroup("30至39歲", 28, 8),
    AgeGroup("40至49歲", 9, 5),
    AgeGroup("50歲以上", 3, 2),
)
UNVACCINATED, ONE_DOSE, TWO_DOSES, UNKNOWN_DOSES = 55, 29, 20, 16

SEQUENCED, GENOTYPE_B3, GENOTYPE_D8 = 98, 61, 37

IMPORTED, LOCAL = 23, 97
IMPORT_DAYS = "6.3"
LOCAL_LINKED, LOCAL_UNKNOWN = 65, 32
COUNTRIES = {"越南": 9, "菲律賓": 6, "泰國": 4, "印尼": 3, "日本": 1}

# Cases per 100,000 are shown as colors on the map (figure 3) and nowhere as numbers.
DISTRICT_CASES = {
    "月港區": 38,
    "楓橋區": 21,
    "北渡區": 16,
    "青禾區": 12,
    "白鷺區": 9,
    "雙塔區": 8,
    "望潮區": 6,
    "石墩區": 4,
    "竹嶺區": 3,
    "南浦區": 2,
    "東礁區": 1,
    "鹿鳴區": 0,
}
DISTRICT_POPULATION = {
    "月港區": 521_000,
    "楓橋區": 402_000,
    "北渡區": 381_000,
    "青禾區": 447_000,
    "白鷺區": 309_000,
    "雙塔區": 243_000,
    "望潮區": 199_000,
    "石墩區": 224_000,
    "竹嶺區": 121_000,
    "南浦區": 153_000,
    "東礁區": 91_000,
    "鹿鳴區": 68_000,
}
MAP_CLASSES = ("0", "0.1–1.9", "2.0–3.9", "4.0–5.9", "6.0以上")
MAP_UNIT = "每十萬人口"

CLUSTERS = 7
CLUSTER_CASES = 41
CLUSTER_KINDS = {"醫院": (2, 15), "學校": (2, 11), "職場": (2, 9), "家庭": (1, 6)}
LARGEST_CLUSTER = 12
CONTACTS, CONTACTS_VACCINATED, CONTACTS_GLOBULIN = 8642, 1275, 83
COVERAGE_FIRST, COVERAGE_SECOND = "97.8", "96.4"
FINES = 3
CLUSTER_DAYS = 45
CLINIC_SESSIONS, CLINIC_DOSES = 18, 6340


def map_class(district: str) -> int:
    """Position in MAP_CLASSES of a district's cases per 100,000 inhabitants."""
    rate = round(DISTRICT_CASES[district] / DISTRICT_POPULATION[district] * 100_000, 1)
    return sum(rate >= low for low in (0.1, 2.0, 4.0, 6.0))


def check() -> None:
    """The parts add up to the whole.

    Raises:
        ValueError: If they do not.
    """
    sums = {
        "sexes": MEN + WOMEN == CONFIRMED,
        "reports": CONFIRMED + EXCLUDED == REPORTED,
        "reporters": BY_HOSPITALS + BY_CLINICS == REPORTED,
        "months": sum(CASES_BY_MONTH) == CONFIRMED,
        "ages": sum(group.cases for group in AGE_GROUPS) == CONFIRMED,
        "vaccination": UNVACCINATED + ONE_DOSE + TWO_DOSES + UNKNOWN_DOSES == CONFIRMED,
        "unvaccinated": sum(group.unvaccinated for group in AGE_GROUPS) == UNVACCINATED,
        "genotypes": GENOTYPE_B3 + GENOTYPE_D8 == SEQUENCED,
        "sources": IMPORTED + LOCAL == CONFIRMED,
        "local": LOCAL_LINKED + LOCAL_UNKNOWN == LOCAL,
        "countries": sum(COUNTRIES.values()) == IMPORTED,
        "districts": sum(DISTRICT_CASES.values()) == CONFIRMED,
        "clusters": sum(count for count, _ in CLUSTER_KINDS.values()) == CLUSTERS,
        "cluster cases": sum(cases for _, cases in CLUSTER_KINDS.values()) == CLUSTER_CASES,
    }
    if wrong := [name for name, holds in sums.items() if not holds]:
        raise ValueError(f"the facts do not add up: {', '.join(wrong)}")


check()
