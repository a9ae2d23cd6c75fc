import table from './model-facts.json' with { type: 'json' };

/** Limits and capabilities of a model; absent fields are unknown. */
export interface ModelFacts {
  /** Maximum input tokens. */
  readonly context?: number;
  /** Maximum output tokens, reasoning included. */
  readonly output?: number;
  readonly reasoning?: boolean;
  /** Whether it reasons if a request does not mention reasoning. */
  readonly reasonsByDefault?: boolean;
  /** The reasoning efforts that it accepts; absent if the vendor's usual ones. */
  readonly efforts?: readonly string[];
  readonly vision?: boolean;
  /** Whether it accepts `temperature` and the like. */
  readonly sampling?: boolean;
  /** Whether reasoning is controlled by an effort instead of a token budget (Anthropic). */
  readonly adaptiveThinking?: boolean;
  readonly alwaysThinks?: boolean;
  /** Whether it accepts a JSON schema for its answer and strict tools (Anthropic). */
  readonly structuredOutput?: boolean;
  /** Whether system messages may follow the first turn (Anthropic). */
  readonly systemTurns?: boolean;
  /** Whether the vendor serves it by the Responses API only. */
  readonly onlyResponses?: boolean;
}

type Listed = ReadonlyMap<string, ModelFacts>;

/** Vendors whose models have their facts in the data file; `others` are models of further hosts, by their bare name. */
const listed: ReadonlyMap<string, Listed> = new Map(
  Object.entries<Readonly<Record<string, ModelFacts>>>(table.vendors).map(([vendor, models]) => [
    vendor,
    new Map(Object.entries(models).map(([name, facts]) => [spell(name), facts])),
  ]),
);

/** Makers first, so that a model which many hosts serve has the facts of its maker. */
const searched = [
  'openai',
  'anthropic',
  'google',
  'mistral',
  'deepseek',
  'cohere',
  'xai',
  'moonshot',
  ...listed.keys(),
];

/**
 * Returns what the data file says about a model at a vendor; `null` if it has no entry. Names are compared as a whole:
 * nothing is concluded from parts of a name.
 */
export function findModelFacts(providerKey: string, model: string): ModelFacts | null {
  const key = `${providerKey} ${model}`;
  const known = found.get(key);
  if (known !== undefined) return known;
  const facts = look(providerKey, spell(model));
  // Callers can send any name, so the cache is bounded.
  if (found.size >= foundMax) found.clear();
  found.set(key, facts);
  return facts;
}

const found = new Map<string, ModelFacts | null>();
const foundMax = 5_000;

function look(providerKey: string, model: string): ModelFacts | null {
  const names = listSpellings(model);
  const own = listed.get(providerKey);
  for (const name of names) {
    const facts = own?.get(name);
    if (facts) return facts;
  }
  for (const vendor of searched)
    for (const name of names) {
      const facts = listed.get(vendor)?.get(name);
      // The limits of a host's own interface hold at that host only.
      if (facts) return { ...facts, onlyResponses: false };
    }
  return null;
}

function spell(name: string): string {
  return name.toLowerCase().replaceAll('.', '-');
}

/** Lists the ways to write a model's name: with its maker, tag and date, and without them. */
function listSpellings(model: string): readonly string[] {
  const bare = model.slice(model.lastIndexOf('/') + 1).replace(/^ft:/, '');
  const untagged = bare.replace(/:.*$/, '');
  const undated = untagged.replace(/(-latest|-\d{4}-\d\d-\d\d|-\d{8})$/, '');
  return [...new Set([model, bare, untagged, undated])];
}
