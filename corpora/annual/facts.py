"""The invented facts of the annual report: a water and energy utility that does not exist.

Everything in the PDF and in its test set is written from this table. Sums are checked on import.
"""

from dataclasses import dataclass

COMPANY = "Ostrey Vale Water and Energy"
YEAR = 2024


@dataclass(frozen=True, slots=True)
class Statistic:
    """One yearly figure: the report prints the last value, the appendix the four before."""

    name: str
    unit: str
    values: tuple[float, ...]
    """2020 to 2024."""

    decimals: int = 0

    def of(self, year: int) -> str:
        """The value of a year as it is printed."""
        return f"{self.values[year - 2020]:,.{self.decimals}f}"

    @property
    def now(self) -> str:
        """The value of the reported year."""
        return self.of(YEAR)


CUSTOMERS = Statistic(
    "Water customers", "connections", (412_310, 414_905, 417_260, 419_840, 423_175)
)
SUPPLY_POINTS = Statistic(
    "Electricity supply points", "points", (187_420, 188_310, 189_905, 191_060, 192_640)
)
DELIVERED = Statistic("Water delivered", "million m³", (61.8, 62.4, 63.1, 62.7, 63.9), 1)
BURSTS = Statistic("Burst mains", "events", (1186, 1142, 1203, 1098, 1041))
COMPLIANCE = Statistic(
    "Water quality compliance", "% of samples", (99.91, 99.93, 99.90, 99.94, 99.95), 2
)
SUPPLIED = Statistic("Electricity supplied", "GWh", (842, 851, 846, 858, 871))
RENEWABLE = Statistic("Renewable share", "%", (38.2, 41.5, 44.1, 47.6, 52.2), 1)
INTERRUPTION = Statistic(
    "Supply interruption", "minutes per customer", (14.6, 13.9, 15.2, 12.8, 11.4), 1
)
COMPLAINTS = Statistic("Written complaints", "complaints", (5412, 5236, 5561, 4987, 4620))
BILL = Statistic("Average household bill", "EUR", (486, 494, 509, 521, 534))
STAFF = Statistic("Staff", "full-time posts", (1512, 1530, 1547, 1561, 1584))
INJURIES = Statistic("Lost-time injuries", "events", (11, 9, 12, 8, 6))
EMISSIONS = Statistic("Greenhouse gas emissions", "kt CO2e", (48.3, 46.9, 45.2, 42.7, 39.5), 1)
REVENUE = Statistic("Revenue", "EUR million", (281.6, 288.3, 296.9, 304.2, 312.4), 1)
COSTS = Statistic("Operating costs", "EUR million", (219.8, 224.6, 233.1, 237.5, 241.7), 1)
INVESTMENT = Statistic("Capital investment", "EUR million", (71.2, 74.8, 69.5, 78.3, 84.6), 1)

STATISTICS = (
    CUSTOMERS,
    SUPPLY_POINTS,
    DELIVERED,
    BURSTS,
    COMPLIANCE,
    SUPPLIED,
    RENEWABLE,
    INTERRUPTION,
    COMPLAINTS,
    BILL,
    STAFF,
    INJURIES,
    EMISSIONS,
    REVENUE,
    COSTS,
    INVESTMENT,
)

# Figure 1, a picture: million liters a day, nowhere in the text.
LEAKAGE_YEARS = tuple(range(2015, 2025))
LEAKAGE = (56.2, 57.5, 59.7, 55.8, 53.3, 51.9, 50.3, 49.1, 46.6, 43.4)

# Figure 2, drawn on the page: per cent of capacity at the end of each month.
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
STORAGE = (91, 94, 96, 95, 90, 83, 74, 66, 61, 69, 80, 88)

# Figure 3, drawn on the page: GWh.
SOURCES = {
    "Hydropower": 211,
    "Wind": 149,
    "Biogas": 58,
    "Solar": 37,
    "Natural gas": 247,
    "Purchases": 169,
}
RENEWABLE_SOURCES = ("Hydropower", "Wind", "Biogas", "Solar")

# Figure 4, a picture: highest demand of each month in MW, nowhere in the text.
DEMAND = (184, 178, 171, 157, 146, 152, 163, 159, 144, 166, 173, 193)

# Figure 5, a picture: interruptions by cause, nowhere in the text.
CAUSES = {
    "Weather": 342,
    "Equipment failure": 217,
    "Third-party damage": 126,
    "Tree contact": 93,
    "Unknown": 59,
}

INTO_SUPPLY = "218.0"
"""Million liters a day: output of the works, delivered plus leakage."""


@dataclass(frozen=True, slots=True)
class Works:
    """One row of table 1; million liters a day."""

    name: str
    source: str
    capacity: float
    output: float


WORKS = (
    Works("Lowfold", "Aldermere reservoir", 118.0, 91.2),
    Works("Pellan", "River Ostrey", 85.0, 63.7),
    Works("Gravel Hythe", "Groundwater", 60.0, 40.8),
    Works("Stennock", "Stennock reservoir", 30.0, 22.3),
)


@dataclass(frozen=True, slots=True)
class Quality:
    """One row of table 2."""

    parameter: str
    limit: str
    samples: int
    failures: int


QUALITY = (
    Quality("E. coli", "0 per 100 ml", 8214, 1),
    Quality("Residual chlorine", "0.5 mg/l", 7950, 1),
    Quality("Turbidity", "1.0 NTU", 6390, 2),
    Quality("Iron", "200 µg/l", 2512, 5),
    Quality("Nitrate", "50 mg/l", 2048, 0),
    Quality("Taste and odor", "acceptable", 1874, 4),
    Quality("Pesticides, total", "0.5 µg/l", 1306, 0),
    Quality("Lead", "10 µg/l", 1126, 3),
)


@dataclass(frozen=True, slots=True)
class Division:
    """One row of table 4."""

    name: str
    posts: int
    injuries: int
    training_days: float


DIVISIONS = (
    Division("Water operations", 612, 3, 4.2),
    Division("Energy operations", 487, 2, 5.1),
    Division("Customer services", 231, 0, 3.4),
    Division("Engineering", 158, 1, 4.7),
    Division("Corporate services", 96, 0, 2.8),
)
TRAINING_DAYS = sum(d.posts * d.training_days for d in DIVISIONS) / sum(d.posts for d in DIVISIONS)


def check() -> None:
    """The parts add up to the whole.

    Raises:
        ValueError: If they do not.
    """
    samples = sum(row.samples for row in QUALITY)
    failures = sum(row.failures for row in QUALITY)
    renewable = sum(SOURCES[name] for name in RENEWABLE_SOURCES)
    output = sum(works.output for works in WORKS)
    sums = {
        "quality": f"{(1 - failures / samples) * 100:.2f}" == COMPLIANCE.now,
        "sources": sum(SOURCES.values()) == SUPPLIED.values[-1],
        "renewable": f"{renewable / SUPPLIED.values[-1] * 100:.1f}" == RENEWABLE.now,
        "posts": sum(division.posts for division in DIVISIONS) == STAFF.values[-1],
        "injuries": sum(division.injuries for division in DIVISIONS) == INJURIES.values[-1],
        "output": f"{output:.1f}" == INTO_SUPPLY,
        "water": abs(output - LEAKAGE[-1] - DELIVERED.values[-1] * 1000 / 366) < 0.1,
    }
    if wrong := [name for name, holds in sums.items() if not holds]:
        raise ValueError(f"the facts do not add up: {', '.join(wrong)}")


check()
