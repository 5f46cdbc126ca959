"""NEAT, the evolution of networks from simple to complex, here for CPPNs.

K. O. Stanley and R. Miikkulainen, "Evolving neural networks through augmenting topologies", Evolutionary Computation 10
(2002), with the settings of the Go paper (§4.1) and, where that is silent, of its author's code.

One generation, in ``Evolution.advance``:

    speciate     each genome joins the first species whose representative is near enough, or founds one
    judge        species that have not got better for a while are held back; the threshold moves towards its target
    allot        each species gets children in proportion to the mean fitness of its members
    reproduce    champions are copied; other children have one or two of their species' best as parents, and mutate

A population is a table of ``LINK`` records, a row for each genome, so that a generation takes a few compiled calls.
Innovation numbers are given once and for all: a link is known by its two nodes, for the whole run; a node is known by the
link that it splits and by its activation function, for one generation.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from engine.go.rng import below, uniform
from engine.kernels import kernel
from players.hyperneat.cppn import ACTIVATIONS, LINK, SIGMOID

_TRIES = 20  # our choice: pairs of nodes drawn until one can get a new link
_LOWEST_THRESHOLD = 0.3  # our choice: the compatibility threshold never falls below this
NEVER = -np.inf

# What kernels need to know of the settings, in one record.
RATES = np.dtype(
    [
        ("add_node", np.float64),
        ("add_link", np.float64),
        ("mutate_weight", np.float64),
        ("per_link", np.int64),
        ("mutate_old_link", np.float64),
        ("old_age", np.int64),
        ("weight_step", np.float64),
        ("finest_step", np.float64),
        ("weight_limit", np.float64),
        ("new_weight", np.float64),
        ("split_weight", np.float64),
        ("split_renews", np.int64),
        ("mutate_only", np.float64),
        ("unmatched_from_both", np.int64),
        ("disjoint", np.float64),
        ("excess", np.float64),
        ("weight_difference", np.float64),
        ("activations", np.int64),  # how many functions a new node may have
        ("function", np.uint8, len(ACTIVATIONS)),
    ],
    align=True,
)


class Innovations:
    """Every structural invention of a run so far.

    ``table`` maps the pair (source, target) of a link to its innovation number: open addressing over rows (pair + 1,
    number). ``functions`` is the activation function by node. ``counts`` holds the next innovation number and the next node.
    """

    def __init__(self, inputs, outputs):
        self.inputs, self.outputs = inputs, outputs
        self.table = np.zeros((1024, 2), np.int64)
        self.functions = np.full(256, SIGMOID, np.uint8)  # inputs do not use theirs; outputs are sigmoids
        self.counts = np.array([0, inputs + outputs], np.int64)

    def make_room(self, links, nodes):
        """Have room for as many more inventions."""
        while 2 * (self.counts[0] + links) > len(self.table):
            bigger = np.zeros((2 * len(self.table), 2), np.int64)
            _rehash(self.table, bigger)
            self.table = bigger
        while self.counts[1] + nodes > len(self.functions):
            self.functions = np.concatenate((self.functions, np.full_like(self.functions, SIGMOID)))

    def number(self, source, target):
        """The innovation number of a link, new or known."""
        self.make_room(1, 0)
        return int(_number(self.table, self.counts, source, target))

    def dump(self):
        return {"table": self.table, "functions": self.functions, "counts": self.counts}

    @classmethod
    def load(cls, tree, inputs, outputs):
        known = cls(inputs, outputs)
        known.table, known.functions, known.counts = (np.array(tree[name]) for name in ("table", "functions", "counts"))
        return known


_PAIR_SHIFT = 24
_HASH = 0x9E3779B97F4A7C1


@kernel
def _place_of(table, pair):
    """The row of a pair in the table of innovations, or the free row where it belongs."""
    mask = table.shape[0] - 1
    i = ((pair * _HASH) >> 20) & mask
    while table[i, 0] != 0 and table[i, 0] != pair:
        i = (i + 1) & mask
    return i


@kernel
def _rehash(old, new):
    for i in range(old.shape[0]):
        if old[i, 0]:
            new[_place_of(new, old[i, 0])] = old[i]


@kernel
def _number(table, counts, source, target):
    pair = (np.int64(source) << _PAIR_SHIFT | np.int64(target)) + 1
    i = _place_of(table, pair)
    if table[i, 0] == 0:
        table[i, 0] = pair
        table[i, 1] = counts[0]
        counts[0] += 1
    return table[i, 1]


# One genome. Kernels write into a row with room for what they may add.


@kernel
def _insert(links, count, innovation, source, target, weight, birth):
    """Put a link where its innovation number belongs; the new count."""
    i = count
    while i > 0 and links[i - 1].innovation > innovation:
        links[i] = links[i - 1]
        i -= 1
    links[i].innovation = innovation
    links[i].source = source
    links[i].target = target
    links[i].weight = weight
    links[i].birth = birth
    return count + 1


@kernel
def _leads_to(links, count, start, goal, reached):
    """Whether there is a path from the node ``start`` to the node ``goal``. ``reached`` is working space by node, all 0."""
    if start == goal:
        return True
    reached[start] = 1
    found = False
    changed = True
    while changed and not found:
        changed = False
        for i in range(count):
            target = links[i].target
            if reached[links[i].source] and not reached[target]:
                reached[target] = 1
                changed = True
                found = found or target == goal
    reached[start] = 0
    for i in range(count):
        reached[links[i].target] = 0
    return found


@kernel
def _has_node(links, count, node):
    for i in range(count):
        if links[i].source == node or links[i].target == node:
            return True
    return False


@kernel
def mutate_weights(links, count, rates, generation, rng):
    """Shift weights: those of young links nearly always, those of old links seldom."""
    if not rates.per_link and uniform(rng) >= rates.mutate_weight:
        return
    step = rates.weight_step
    if rates.finest_step < step:  # as often within one power of two as within another: children near and far
        step *= (rates.finest_step / step) ** uniform(rng)
    for i in range(count):
        if rates.per_link and uniform(rng) >= rates.mutate_weight:
            continue
        if generation - links[i].birth >= rates.old_age and uniform(rng) >= rates.mutate_old_link:
            continue
        weight = links[i].weight + (2.0 * uniform(rng) - 1.0) * step
        links[i].weight = min(max(weight, -rates.weight_limit), rates.weight_limit)


@kernel
def add_node(links, count, rates, generation, table, functions, counts, splits, rng):
    """Put a new node on a random link; the new count.

    Author's code: the link stays with half its weight, and its age may begin anew. The way through the new node starts with
    weights 1 and a share of the link's: all of it, which is our choice, or a quarter as in the author's code. ``splits`` are
    this generation's inventions: rows (link's innovation number, function, node), ended by a row of -1.
    """
    chosen = below(rng, count)
    function = rates.function[below(rng, rates.activations)]
    innovation = links[chosen].innovation
    i = 0
    node = np.int64(-1)
    while splits[i, 0] >= 0:
        if splits[i, 0] == innovation and splits[i, 1] == function and not _has_node(links, count, splits[i, 2]):
            node = splits[i, 2]
            break
        i += 1
    if node < 0:
        node = counts[1]
        counts[1] += 1
        functions[node] = function
        splits[i, 0], splits[i, 1], splits[i, 2] = innovation, function, node
        splits[i + 1, 0] = -1
    source, target, weight = links[chosen].source, links[chosen].target, links[chosen].weight
    links[chosen].weight = weight * np.float32(0.5)
    if rates.split_renews:
        links[chosen].birth = generation
    number = _number(table, counts, source, node)
    count = _insert(links, count, number, source, node, np.float32(1.0), generation)
    number = _number(table, counts, node, target)
    return _insert(links, count, number, node, target, weight * np.float32(rates.split_weight), generation)


@kernel
def add_link(links, count, rates, generation, table, counts, inputs, outputs, reached, rng):
    """Link two nodes that were not linked, without closing a cycle; the new count (the same if none was found)."""
    nodes = np.empty(inputs + outputs + 2 * count, np.int64)  # inputs, outputs, hidden
    total = 0
    for node in range(inputs + outputs):
        nodes[total] = node
        total += 1
    for i in range(count):  # every hidden node is some link's target
        node = np.int64(links[i].target)
        if node >= inputs + outputs and not reached[node]:
            reached[node] = 1
            nodes[total] = node
            total += 1
    for i in range(inputs + outputs, total):
        reached[nodes[i]] = 0
    for _ in range(_TRIES):
        source = below(rng, total - outputs)
        source = nodes[source if source < inputs else source + outputs]
        target = nodes[inputs + below(rng, total - inputs)]
        known = False
        for i in range(count):
            known = known or (links[i].source == source and links[i].target == target)
        if known or _leads_to(links, count, target, source, reached):
            continue
        weight = np.float32((2.0 * uniform(rng) - 1.0) * rates.new_weight)
        number = _number(table, counts, source, target)
        return _insert(links, count, number, source, target, weight, generation)
    return count


@kernel
def cross(a, a_count, a_fitness, b, b_count, b_fitness, from_both, inputs, outputs, child, reached, rng):
    """Write a child of two parents; its number of links.

    Author's code: of two matching genes one is taken, either with a chance in proportion to its owner's fitness, and the
    other genes of both are taken, or of the fitter one alone. A gene of the less fit parent that would close a cycle is
    left out.
    """
    if b_fitness > a_fitness:
        a, a_count, a_fitness, b, b_count, b_fitness = b, b_count, b_fitness, a, a_count, a_fitness
    total = a_fitness + b_fitness
    share = a_fitness / total if total > 0.0 else 0.5
    count = 0
    j = 0
    for i in range(a_count):
        while j < b_count and b[j].innovation < a[i].innovation:
            j += 1
        matches = j < b_count and b[j].innovation == a[i].innovation
        if matches and uniform(rng) >= share:
            child[count] = b[j]
        else:
            child[count] = a[i]
        count += 1
    i = 0
    for j in range(b_count if from_both else 0):
        while i < a_count and a[i].innovation < b[j].innovation:
            i += 1
        if i < a_count and a[i].innovation == b[j].innovation:
            continue
        source, target = b[j].source, b[j].target
        hidden = source >= inputs and target >= inputs + outputs  # else there can be no cycle
        if hidden and _leads_to(child, count, target, source, reached):
            continue
        count = _insert(child, count, b[j].innovation, source, target, b[j].weight, b[j].birth)
    return count


@kernel
def distance(a, a_count, b, b_count, rates):
    """How different two genomes are: unmatched genes (not relative to their number; author's code) and weights."""
    i = j = 0
    matching = disjoint = 0
    difference = 0.0
    while i < a_count and j < b_count:
        if a[i].innovation == b[j].innovation:
            matching += 1
            difference += abs(a[i].weight - b[j].weight)
            i += 1
            j += 1
        else:
            disjoint += 1
            if a[i].innovation < b[j].innovation:
                i += 1
            else:
                j += 1
    excess = (a_count - i) + (b_count - j)
    mean = difference / matching if matching else 0.0
    return rates.disjoint * disjoint + rates.excess * excess + rates.weight_difference * mean


# The population


@kernel
def speciate(links, counts, heads, head_counts, species, threshold, rates, member_of):
    """Give each genome the first of the ``species`` representatives that is nearer than the threshold, or found a new one.

    ``heads`` has room for a representative of each genome; the number of species afterwards is returned.
    """
    for i in range(counts.size):
        member_of[i] = -1
        for s in range(species):
            if distance(links[i], counts[i], heads[s], head_counts[s], rates) < threshold:
                member_of[i] = s
                break
        if member_of[i] < 0:
            heads[species, : counts[i]] = links[i, : counts[i]]
            head_counts[species] = counts[i]
            member_of[i] = species
            species += 1
    return species


class Genomes(NamedTuple):
    """A population for kernels."""

    links: np.ndarray  # of LINK, a row for each genome …
    counts: np.ndarray  # … and how much of it counts


class Inventions(NamedTuple):
    """For kernels, what has been invented so far: the arrays of Innovations, and how many nodes are not inventions."""

    table: np.ndarray
    functions: np.ndarray
    numbers: np.ndarray
    inputs: int
    outputs: int


@kernel
def reproduce(population, fitness, plan, parents, rates, generation, known, rng, out):
    """Write the next generation to ``out``, Genomes too.

    Rows of ``plan``: (genome to copy or -1, first and end of its parents).
    """
    links, counts = population.links, population.counts
    table, functions, numbers, inputs, outputs = known
    splits = np.empty((plan.shape[0] + 1, 3), np.int64)
    splits[0, 0] = -1
    reached = np.zeros(functions.size, np.uint8)
    for k in range(plan.shape[0]):
        if plan[k, 0] >= 0:
            i = plan[k, 0]
            out.links[k, : counts[i]] = links[i, : counts[i]]
            out.counts[k] = counts[i]
            continue
        first, available = plan[k, 1], plan[k, 2] - plan[k, 1]
        a = parents[first + below(rng, available)]
        b = parents[first + below(rng, available)]
        if a == b or uniform(rng) < rates.mutate_only:
            count = np.int64(counts[a])
            out.links[k, :count] = links[a, :count]
        else:
            count = cross(
                links[a],
                counts[a],
                fitness[a],
                links[b],
                counts[b],
                fitness[b],
                rates.unmatched_from_both,
                inputs,
                outputs,
                out.links[k],
                reached,
                rng,
            )
        mutate_weights(out.links[k], count, rates, generation, rng)
        if uniform(rng) < rates.add_node:
            count = add_node(out.links[k], count, rates, generation, table, functions, numbers, splits, rng)
        if uniform(rng) < rates.add_link:
            count = add_link(out.links[k], count, rates, generation, table, numbers, inputs, outputs, reached, rng)
        out.counts[k] = count


@dataclass
class Species:
    """A group of similar genomes. ``best`` is the fitness of its best member ever, in the present games."""

    number: int
    links: np.ndarray  # its representative: the best individual that it ever had (author's code)
    best: float = NEVER
    stale: int = 0  # generations since it last got better


class Evolution:
    """A population and its species. ``settings`` has the fields of ``trainer.Config`` that are about NEAT."""

    def __init__(self, settings, inputs, outputs):
        self.settings = settings
        self.inputs, self.outputs = inputs, outputs
        self.rates = _rates(settings)
        self.innovations = Innovations(inputs, outputs)
        self.species = []
        self.next_species = 0
        self.threshold = settings.compatibility_threshold
        self.generation = 0
        self.links = None
        self.counts = None

    # Beginning

    def begin(self, rng, seed=((), ())):
        """Fill the population: every input linked to every output (author's code), weights at random.

        ``seed`` are functions of hidden nodes and links (source, target, weight) that all have. An output that a seeded
        link leads to has no other links.
        """
        functions, seeded = seed
        first_hidden = self.inputs + self.outputs
        self.innovations.functions[first_hidden : first_hidden + len(functions)] = functions
        self.innovations.counts[1] += len(functions)
        fed = {target for _, target, _ in seeded}
        pairs = [(i, o) for i in range(self.inputs) for o in range(self.inputs, first_hidden) if o not in fed]
        links = [(source, target, None) for source, target in pairs] + list(seeded)
        size = self.settings.population
        self.links = np.zeros((size, len(links)), LINK)
        self.counts = np.full(size, len(links), np.int64)
        for gene, (source, target, _) in zip(self.links.T, links):
            gene["source"], gene["target"] = source, target
            gene["innovation"] = self.innovations.number(source, target)
        for row in self.links:
            most = self.settings.new_weight
            row["weight"] = [(2 * uniform(rng) - 1) * most if weight is None else weight for _, _, weight in links]

    def begin_with(self, genome, functions):
        """Fill the population with copies of one genome, whose children will differ; ``functions`` is that of each node.

        Nodes are numbered without gaps. All links are as young as in a first generation.
        """
        known, size = self.innovations, self.settings.population
        known.make_room(len(genome), len(functions) - int(known.counts[1]))
        known.functions[: len(functions)] = functions
        known.counts[1] = len(functions)
        first = np.array(genome)
        first["innovation"] = [known.number(link["source"], link["target"]) for link in genome]
        first["birth"] = 0
        self.links = np.tile(first, (size, 1))
        self.counts = np.full(size, len(first), np.int64)

    def genome(self, i):
        """The links of individual ``i``."""
        return self.links[i, : self.counts[i]]

    def promising(self, fitness):
        """The individuals, the most promising first."""
        return np.argsort(-fitness, kind="stable")

    # A generation

    def advance(self, fitness, rng):
        """Replace the population by its children, given the fitness (not below 0) of each individual."""
        fitness = np.asarray(fitness, np.float64)
        member_of = self._speciate()
        self._judge(member_of, fitness)
        plan, parents = self._plan(member_of, fitness)
        self._reproduce(plan, parents, fitness, rng)
        self._move_threshold()
        self.generation += 1

    def forget_records(self):
        """What species achieved so far says nothing from now on, because the board or the games have changed."""
        for species in self.species:
            species.best, species.stale = NEVER, 0

    def _speciate(self):
        size, width = len(self.counts), max(self.links.shape[1], *(len(s.links) for s in self.species), 1)
        room = len(self.species) + size
        heads, head_counts = np.empty((room, width), LINK), np.zeros(room, np.int64)
        for i, species in enumerate(self.species):
            heads[i, : len(species.links)] = species.links
            head_counts[i] = len(species.links)
        member_of = np.empty(size, np.int64)
        total = speciate(
            self.links, self.counts, heads, head_counts, len(self.species), self.threshold, self.rates, member_of
        )
        for i in range(len(self.species), total):
            self.species.append(Species(self.next_species, heads[i, : head_counts[i]].copy()))
            self.next_species += 1
        alive = np.unique(member_of)
        self.species = [self.species[i] for i in alive]
        return np.searchsorted(alive, member_of)

    def _judge(self, member_of, fitness):
        for i, species in enumerate(self.species):
            best = max(np.flatnonzero(member_of == i), key=lambda k: fitness[k])
            if fitness[best] > species.best:
                species.best, species.stale = float(fitness[best]), 0
                species.links = self.genome(best).copy()
            else:
                species.stale += 1
        if self.settings.best_never_stale:
            self.species[member_of[np.argmax(fitness)]].stale = 0

    def _plan(self, member_of, fitness):
        """Who is copied, and how many children each species gets from which parents."""
        settings, size = self.settings, len(fitness)
        champion = int(np.argmax(fitness))
        order = np.argsort(-fitness, kind="stable")
        members = [order[member_of[order] == i] for i in range(len(self.species))]
        worth = np.array([fitness[group].mean() for group in members])
        held_back = [species.stale >= settings.drop_off_age for species in self.species]
        worth[held_back] *= settings.stagnation_factor
        children = share_out(size, worth, at_least=member_of[champion])
        plan, parents = np.empty((size, 3), np.int64), []
        row = 0
        for group, count in zip(members, children):
            first = len(parents)
            parents.extend(group[: max(1, int(np.ceil(settings.survival * len(group))))])
            plan[row : row + count] = -1, first, len(parents)
            if count and (len(group) >= settings.elite_size or group[0] == champion):
                plan[row, 0] = group[0]
            row += count
        return plan, np.array(parents, np.int64)

    def _reproduce(self, plan, parents, fitness, rng):
        size = len(fitness)
        self.innovations.make_room(3 * size, size)
        known = self.innovations
        # No child has more genes than both parents have together, and two mutations' more.
        longest = np.sort(self.counts)[-2:].sum() + 3
        children, counts = np.empty((size, int(longest)), LINK), np.zeros(size, np.int64)
        inventions = Inventions(known.table, known.functions, known.counts, self.inputs, self.outputs)
        reproduce(
            Genomes(self.links, self.counts),
            fitness,
            plan,
            parents,
            self.rates,
            self.generation + 1,
            inventions,
            rng,
            Genomes(children, counts),
        )
        self.links, self.counts = children[:, : counts.max()].copy(), counts

    def _move_threshold(self):
        settings = self.settings
        if len(self.species) > settings.target_species:
            self.threshold += settings.compatibility_modifier
        elif len(self.species) < settings.target_species:
            self.threshold = max(_LOWEST_THRESHOLD, self.threshold - settings.compatibility_modifier)

    # Checkpoints

    def dump(self):
        """All of it, for a checkpoint."""
        return {
            "links": self.links,
            "counts": self.counts,
            "threshold": self.threshold,
            "generation": self.generation,
            "next_species": self.next_species,
            "innovations": self.innovations.dump(),
            "species": [
                {"number": s.number, "links": s.links, "best": None if s.best == NEVER else s.best, "stale": s.stale}
                for s in self.species
            ],
        }

    @classmethod
    def load(cls, tree, settings, inputs, outputs):
        """What ``dump`` gave, again."""
        evolution = cls(settings, inputs, outputs)
        evolution.links, evolution.counts = tree["links"].astype(LINK), tree["counts"]
        evolution.threshold, evolution.generation = tree["threshold"], tree["generation"]
        evolution.next_species = tree["next_species"]
        evolution.innovations = Innovations.load(tree["innovations"], inputs, outputs)
        evolution.species = [
            Species(s["number"], s["links"].astype(LINK), NEVER if s["best"] is None else s["best"], s["stale"])
            for s in tree["species"]
        ]
        return evolution


def share_out(total, worth, at_least):
    """Divide ``total`` children in proportion to ``worth``, whole numbers by largest remainders; one for ``at_least``."""
    worth = np.asarray(worth, np.float64)
    if worth.sum() <= 0.0:
        worth = np.ones_like(worth)
    exact = total * worth / worth.sum()
    children = np.floor(exact).astype(np.int64)
    rest = np.argsort(children - exact, kind="stable")[: total - children.sum()]
    children[rest] += 1
    if children[at_least] == 0:
        children[at_least] = 1
        children[np.argmax(children)] -= 1
    return children


def _rates(settings):
    rates = np.recarray(1, RATES)[0]
    rates.add_node, rates.add_link = settings.add_node, settings.add_link
    rates.mutate_weight = settings.mutate_weight
    rates.per_link = settings.mutate_weight_per == "link"
    rates.mutate_old_link, rates.old_age = settings.mutate_old_link, settings.old_link_age
    rates.weight_step, rates.weight_limit = settings.weight_step, settings.weight_limit
    rates.finest_step = settings.weight_step if settings.finest_step is None else settings.finest_step
    rates.new_weight, rates.mutate_only = settings.new_weight, settings.mutate_only
    rates.split_weight, rates.split_renews = settings.split_weight, settings.split_renews
    rates.unmatched_from_both = settings.unmatched_genes == "both"
    rates.disjoint, rates.excess = settings.disjoint, settings.excess
    rates.weight_difference = settings.weight_difference
    rates.activations = len(settings.activations)
    for i, name in enumerate(settings.activations):
        rates.function[i] = ACTIVATIONS.index(name)
    return rates
