/** Eight colors in a fixed order, distinguishable with color-vision deficiency, with a contrast of at least 3:1. */
export const chartColors = [1, 2, 3, 4, 5, 6, 7, 8].map((place) => `var(--chart-${place})`);

/** Returns the color at an index, starting over after eight. */
export const cycleColorOf = (place: number): string => `var(--chart-${(place % chartColors.length) + 1})`;

/**
 * Returns the color of each entity of a chart. It depends on their names, not on their order, so an entity keeps its
 * color in other charts, ranges and sort orders unless another one already has it.
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

/** OpenAI is green, Anthropic purple, Google blue, DeepSeek amber, all others gray. */
export const providerColorOf = (providerKey: string): string =>
  `var(--provider-${providers.has(providerKey) ? providerKey : 'other'})`;

/** Users are blue, teams green, others gray. */
export const entityColorOf = (entityType: string): string =>
  `var(--entity-${entities.has(entityType) ? entityType : 'other'})`;

/** Colors of intents, the same in every chart and badge. */
export function intentColorOf(intent: string): string {
  const place = intents.indexOf(intent);
  return cycleColorOf(place === -1 ? intents.length : place);
}
