/** Eight colours, taken in turn, that stay apart under colour-vision deficiency, at 3:1 and more. */
export const chartColors = [1, 2, 3, 4, 5, 6, 7, 8].map((place) => `var(--chart-${place})`);

/** The colour of the item at a place, from the start again after eight. */
export const cycleColorOf = (place: number): string => `var(--chart-${(place % chartColors.length) + 1})`;

/**
 * Returns the color of each of the entities that a chart shows together. It depends on their names, not on their order,
 * so an entity keeps its color in other charts, ranges and sortings; it gives way only to one that has the same.
 */
export function entityColorsOf(names: readonly string[]): (name: string) => string {
  const places = new Map<string, number>();
  const taken = new Set<number>();
  for (const name of [...new Set(names)].sort()) {
    const wanted = hash(name) % chartColors.length;
    const free = chartColors.map((_, step) => (wanted + step) % chartColors.length);
    const place = free.find((one) => !taken.has(one)) ?? wanted;
    taken.add(place);
    places.set(name, place);
  }
  return (name) => cycleColorOf(places.get(name) ?? hash(name));
}

/** FNV-1a, 32 bits. */
function hash(text: string): number {
  let sum = 0x811c9dc5;
  for (const letter of text) sum = Math.imul(sum ^ (letter.codePointAt(0) ?? 0), 0x01000193) >>> 0;
  return sum;
}

const providers = new Set(['openai', 'anthropic', 'google', 'deepseek']);
const entities = new Set(['user', 'team']);
const intents = ['coding', 'testing', 'documentation', 'research', 'off_topic'];

/** OpenAI green, Anthropic purple, Google blue, DeepSeek amber, others grey. */
export const providerColorOf = (providerKey: string): string =>
  `var(--provider-${providers.has(providerKey) ? providerKey : 'other'})`;

/** Users blue, teams green, others grey. */
export const entityColorOf = (entityType: string): string =>
  `var(--entity-${entities.has(entityType) ? entityType : 'other'})`;

/** The same in every chart and badge, whatever the order of the data. */
export function intentColorOf(intent: string): string {
  const place = intents.indexOf(intent);
  return cycleColorOf(place === -1 ? intents.length : place);
}
