/** Eight colours, taken in turn, that stay apart under colour-vision deficiency, at 3:1 and more. */
export const chartColors = [1, 2, 3, 4, 5, 6, 7, 8].map((place) => `var(--chart-${place})`);

/** The colour of the item at a place, from the start again after eight. */
export const cycleColorOf = (place: number): string => `var(--chart-${(place % chartColors.length) + 1})`;

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
