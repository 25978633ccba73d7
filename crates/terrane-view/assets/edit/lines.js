// Changes of a list of positions, of the pairs that join them, and of the lists with a value for each position or pair. Each function
// returns the new values by the names of the parameters, in the order in which they are set; `null` if one of them cannot be changed.

// The parameters of a node that belong to its list of positions `name`.
export function network(type, node, name) {
  const of = type.params.map((spec, index) => ({ spec, now: node.params[index] }));
  const list = of.find(({ spec }) => spec.name === name);
  const joins = of.find(({ spec }) => spec.joins === name) ?? null;
  const each = (list) => of.filter(({ spec }) => list && spec.each === list.spec.name);
  return { list, joins, eachItem: each(list), eachPair: each(joins) };
}

const values = ({ now }) => now.value ?? [];

// Only parameters whose values are lists that pages can change.
const settled = (changes) => (changes.every(([{ now }]) => now.home) ? Object.fromEntries(changes.map(([{ spec }, value]) => [spec.name, value])) : null);

// Lists that have a value for each of `count` get another one, like the last.
const longer = (lists, count) => lists.filter((one) => count > 0 && values(one).length === count).map((one) => [one, [...values(one), values(one).at(-1)]]);

function pair({ joins, eachPair }, a, b) {
  const pairs = values(joins);
  if (a === b || pairs.some(([c, d]) => (c === a && d === b) || (c === b && d === a))) return [];
  return [[joins, [...pairs, [a, b]]], ...longer(eachPair, pairs.length)];
}

// Adds a position, and a pair that joins it to the item `from`, unless that is `null`.
export function added(net, position, from) {
  const items = values(net.list);
  const changes = [[net.list, [...items, position]], ...longer(net.eachItem, items.length)];
  // Without a parameter for pairs, positions stay alone.
  if (net.joins && from !== null) changes.push(...pair(net, from, items.length));
  return settled(changes);
}

// Joins two items.
export function joined(net, a, b) {
  return net.joins ? settled(pair(net, a, b)) : {};
}

// Removes an item, and the pairs that join it. Later items move up.
export function removed(net, item) {
  const items = values(net.list);
  const without = (one, gone) => [one, values(one).filter((_, index) => !gone(index))];
  const full = (lists, count) => lists.filter((one) => values(one).length === count);
  const changes = [];
  if (net.joins) {
    const pairs = values(net.joins);
    const gone = (index) => pairs[index].includes(item);
    if (pairs.length) {
      const moved = pairs.filter((_, index) => !gone(index)).map((ends) => ends.map((end) => end - (end > item ? 1 : 0)));
      changes.push([net.joins, moved], ...full(net.eachPair, pairs.length).map((one) => without(one, gone)));
    }
  }
  const own = (index) => index === item;
  changes.push(...full(net.eachItem, items.length).map((one) => without(one, own)), without(net.list, own));
  return settled(changes.filter(([one, value]) => values(one).length !== value.length || one === net.joins));
}
