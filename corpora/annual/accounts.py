"""More invented facts of the annual report: projects, accounts, districts, targets, the notice."""

from dataclasses import dataclass

from annual import facts


@dataclass(frozen=True, slots=True)
class Project:
    """One row of table 3; EUR million."""

    code: str
    name: str
    district: str
    budget: float
    spent: float
    """In 2024."""

    ready: str


PROJECTS = (
    Project("W-101", "Lowfold filter renewal", "Cullerby", 18.4, 6.2, "Q3 2025"),
    Project("W-102", "Pellan ultraviolet treatment", "Thornhythe", 9.6, 4.1, "Q1 2025"),
    Project("W-103", "Gravel Hythe borehole 4", "Eastfen", 5.2, 2.7, "Q2 2025"),
    Project("W-104", "Stennock dam spillway", "Upper Ostrey", 12.8, 5.9, "Q4 2026"),
    Project("W-105", "Aldermere intake tower", "Cullerby", 7.5, 1.8, "Q2 2026"),
    Project("W-106", "Trunk main, Eastfen north", "Eastfen", 11.3, 4.4, "Q3 2025"),
    Project("W-107", "Trunk main, Eastfen south", "Eastfen", 10.9, 3.6, "Q1 2026"),
    Project("W-108", "Mains renewal, phase 1", "Marsh Row", 4.7, 1.3, "Q1 2025"),
    Project("W-109", "Mains renewal, phase 2", "Marsh Row", 4.9, 2.2, "Q4 2025"),
    Project("W-110", "Mains renewal, phase 3", "Sallow Bridge", 5.1, 0.9, "Q3 2026"),
    Project("W-111", "Pressure zones, stage A", "Thornhythe", 2.8, 1.6, "Q2 2025"),
    Project("W-112", "Pressure zones, stage B", "Cullerby", 3.1, 0.7, "Q1 2026"),
    Project("W-113", "Smart meters, first lot", "Eastfen", 8.6, 3.8, "Q4 2025"),
    Project("W-114", "Smart meters, second lot", "Sallow Bridge", 8.2, 1.4, "Q4 2026"),
    Project("W-115", "Service reservoir Hollin", "Upper Ostrey", 6.4, 2.1, "Q3 2025"),
    Project("W-116", "Sludge drying hall", "Marsh Row", 7.8, 3.3, "Q2 2025"),
    Project("W-117", "Storm tanks, Fen Lane", "Eastfen", 3.9, 1.1, "Q2 2026"),
    Project("W-118", "Leak sensors, 400 zones", "All", 4.3, 2.4, "Q1 2025"),
    Project("E-201", "Hollin hydropower turbine 2", "Upper Ostrey", 14.2, 5.3, "Q3 2025"),
    Project("E-202", "Hollin hydropower turbine 3", "Upper Ostrey", 13.7, 2.6, "Q2 2026"),
    Project("E-203", "Solar roofs, depots", "All", 2.2, 1.2, "Q1 2025"),
    Project("E-204", "Solar field Marsh Row", "Marsh Row", 9.1, 4.7, "Q3 2025"),
    Project("E-205", "Biogas engine 3", "Marsh Row", 3.6, 1.5, "Q2 2025"),
    Project("E-206", "Substation Cullerby west", "Cullerby", 10.4, 3.9, "Q1 2026"),
    Project("E-207", "Substation Cullerby east", "Cullerby", 10.8, 4.2, "Q4 2025"),
    Project("E-208", "Cable renewal, 20 kV ring", "Thornhythe", 6.9, 2.8, "Q3 2025"),
    Project("E-209", "Overhead lines to ground", "Sallow Bridge", 5.7, 1.9, "Q4 2025"),
    Project("E-210", "Battery storage, 12 MWh", "Eastfen", 7.2, 3.1, "Q2 2025"),
    Project("E-211", "Control center software", "All", 3.4, 1.7, "Q1 2025"),
    Project("E-212", "Charging points, 60 sites", "All", 1.9, 0.8, "Q4 2025"),
    Project("E-213", "Switchgear renewal, lot 1", "Thornhythe", 2.6, 0.6, "Q2 2026"),
    Project("E-214", "Switchgear renewal, lot 2", "Eastfen", 2.7, 0.8, "Q3 2026"),
)


@dataclass(frozen=True, slots=True)
class Account:
    """One row of table 5; EUR million."""

    name: str
    now: float
    before: float
    total: bool = False


ACCOUNTS = (
    Account("Water and wastewater charges", 168.9, 164.7),
    Account("Electricity sales", 118.7, 115.3),
    Account("Connection fees", 14.6, 13.9),
    Account("Other income", 10.2, 10.3),
    Account("Revenue", 312.4, 304.2, total=True),
    Account("Staff costs", 88.4, 86.1),
    Account("Energy purchased", 61.3, 63.0),
    Account("Materials and contractors", 52.8, 50.2),
    Account("Depreciation", 39.2, 38.2),
    Account("Operating costs", 241.7, 237.5, total=True),
    Account("Operating result", 70.7, 66.7, total=True),
    Account("Interest", 12.9, 13.4),
    Account("Income tax", 14.5, 13.3),
    Account("Net result", 43.3, 40.0, total=True),
)


@dataclass(frozen=True, slots=True)
class District:
    """One row of tables B1 and B2."""

    name: str
    customers: tuple[int, int]
    """2023, 2024."""

    bursts: tuple[int, int]
    main_kilometers: int


DISTRICTS = (
    District("Eastfen", (97_610, 98_420), (249, 236), 1284),
    District("Cullerby", (85_790, 86_315), (214, 201), 1117),
    District("Thornhythe", (74_285, 74_960), (196, 187), 1006),
    District("Marsh Row", (60_905, 61_240), (170, 162), 893),
    District("Sallow Bridge", (56_240, 56_780), (148, 141), 871),
    District("Upper Ostrey", (45_010, 45_460), (121, 114), 1042),
)


@dataclass(frozen=True, slots=True)
class Target:
    """One row of table 6."""

    name: str
    unit: str
    next_year: str
    goal: str
    """2030."""


TARGETS = (
    Target("Leakage", "million liters a day", "42.0", "36.5"),
    Target("Renewable share", "%", "55", "72"),
    Target("Greenhouse gas emissions", "kt CO2e", "37.0", "24.0"),
    Target("Supply interruption", "minutes per customer", "11.0", "8.5"),
    Target("Written complaints", "complaints", "4,400", "3,200"),
    Target("Customers with a smart meter", "%", "48", "96"),
)

# The notice on the scanned page; none of these numbers stands in a text layer.
NOTICE = {
    "number": "27/2024",
    "charge rise": "2.65 per cent",
    "penalty": "EUR 1.35 million",
    "leakage limit": "47.0 million liters",
    "reserve margin": "12.5 per cent",
    "deadline": "29 August 2025",
    "objection": "six weeks",
    "register": "file ONS-4418-B",
}


def check() -> None:
    """The parts add up to the whole.

    Raises:
        ValueError: If they do not.
    """
    by_name = {account.name: account for account in ACCOUNTS}
    revenue, costs = by_name["Revenue"], by_name["Operating costs"]
    result, net = by_name["Operating result"], by_name["Net result"]
    parts = [account for account in ACCOUNTS if not account.total]

    def adds_up(accounts: list[Account], total: Account) -> bool:
        now = sum(account.now for account in accounts) - total.now
        before = sum(account.before for account in accounts) - total.before
        return abs(now) < 0.01 and abs(before) < 0.01

    spent = sum(project.spent for project in PROJECTS)
    sums = {
        "income": adds_up(parts[:4], revenue),
        "costs": adds_up(parts[4:8], costs),
        "result": adds_up([costs, result], revenue),
        "net result": adds_up([net, *parts[8:]], result),
        "revenue": (revenue.before, revenue.now) == facts.REVENUE.values[-2:],
        "operating costs": (costs.before, costs.now) == facts.COSTS.values[-2:],
        f"projects ({spent:.1f})": f"{spent:.1f}" == facts.INVESTMENT.now,
    }
    for place, year in enumerate((2023, 2024)):
        customers = sum(district.customers[place] for district in DISTRICTS)
        bursts = sum(district.bursts[place] for district in DISTRICTS)
        sums[f"customers {year}"] = f"{customers:,}" == facts.CUSTOMERS.of(year)
        sums[f"bursts {year}"] = f"{bursts:,}" == facts.BURSTS.of(year)
    if wrong := [name for name, holds in sums.items() if not holds]:
        raise ValueError(f"the accounts do not add up: {', '.join(wrong)}")


check()
