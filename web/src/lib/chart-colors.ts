/** Eight colors in a fixed order. Distinguishable with color-vision deficiency, with a contrast of at least 3:1. */
export const chartColors = [1, 2, 3, 4, 5, 6, 7, 8].map((place) => `var(--chart-${place})`);

/** The colors repeat after eight. */
export const cycleColorOf = (place: number): string => `var(--chart-${(place % chartColors.length) + 1})`;

export type EntityKind = 'user' | 'team' | 'reason';

const storageKey = 'sluice-chart-colors';
const entitiesMax = 500;

/**
 * Returns a function that assigns colors to chart entities. `storage` records entities in the order in which charts
 * first showed them, so that an entity keeps its color in all charts and visits.
 */
export function assignEntityColors(storage: Pick<Storage, 'getItem' | 'setItem'>) {
  return (kind: EntityKind, ids: readonly (string | number)[]): ((id: string | number) => string) => {
    const nameOf = (id: string | number) => `${kind} ${id}`;
    const shown = new Set(ids.map(nameOf));
    const known = readNames(storage.getItem(storageKey));
    const added = [...shown].filter((name) => !known.includes(name));
    for (const name of added) {
      const isFull = known.length >= entitiesMax;
      const place = isFull ? known.findIndex((other) => !shown.has(other)) : -1;
      known[place < 0 ? known.length : place] = name;
    }
    if (added.length > 0) storage.setItem(storageKey, JSON.stringify(known));
    return (id) => ownColorOf(Math.max(0, known.indexOf(nameOf(id))));
  };
}

function readNames(stored: string | null): string[] {
  try {
    const names: unknown = JSON.parse(stored ?? '[]');
    return Array.isArray(names) ? names.map(String).slice(0, entitiesMax) : [];
  } catch {
    return [];
  }
}

export const entityColorsOf: ReturnType<typeof assignEntityColors> = (kind, ids) =>
  assignEntityColors(localStorage)(kind, ids);

/** Pairs of different colors, most distant pairs first. */
const pairs = [4, 3, 2, 1].flatMap((step) =>
  chartColors
    .slice(0, step === 4 ? 4 : undefined)
    .map((color, place) => [color, chartColors[(place + step) % chartColors.length]]),
);

/**
 * Returns one of the eight colors, or for higher indexes a mixture of two. Mixtures keep the contrast and never
 * repeat.
 */
function ownColorOf(place: number): string {
  if (place < chartColors.length) return cycleColorOf(place);
  const [one, other] = pairs[(place - chartColors.length) % pairs.length] ?? [];
  const round = Math.floor((place - chartColors.length) / pairs.length);
  return `color-mix(in oklch, ${one} ${percentOf(round)}%, ${other})`;
}

/** Returns percentages that halve the remaining gaps: 50, 25, 75, 12.5, 62.5 and so on. */
function percentOf(round: number): number {
  let percent = 0;
  let part = 50;
  for (let rest = round + 1; rest > 0; rest = Math.floor(rest / 2), part /= 2) percent += (rest % 2) * part;
  return percent;
}

const providers = new Set(['openai', 'anthropic', 'google', 'deepseek']);
const entities = new Set(['user', 'team']);
const intents = ['coding', 'testing', 'documentation', 'research', 'off_topic'];

export const providerColorOf = (providerKey: string): string =>
  `var(--provider-${providers.has(providerKey) ? providerKey : 'other'})`;

export const entityColorOf = (entityType: string): string =>
  `var(--entity-${entities.has(entityType) ? entityType : 'other'})`;

export function intentColorOf(intent: string): string {
  const place = intents.indexOf(intent);
  return cycleColorOf(place === -1 ? intents.length : place);
}
