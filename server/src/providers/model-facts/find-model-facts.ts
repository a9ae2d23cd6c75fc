import type { ModelFacts } from '#protocols/canonical/request.ts';
import table from './model-facts.json' with { type: 'json' };

type Listed = ReadonlyMap<string, ModelFacts>;

/** Vendors of the data file with their models. `others` contains the models of all other hosts by bare name. */
const listed: ReadonlyMap<string, Listed> = new Map(
  Object.entries<Readonly<Record<string, ModelFacts>>>(table.vendors).map(([vendor, models]) => [
    vendor,
    new Map(
      Object.entries(models)
        // Entries without facts are omitted, so that they do not hide the entry of the maker.
        .filter(([, facts]) => Object.keys(facts).length > 0)
        .map(([name, facts]) => [spell(name), facts]),
    ),
  ]),
);

const makers = ['openai', 'anthropic', 'google', 'mistral', 'deepseek', 'cohere', 'xai', 'moonshot'];
/** Makers are first, so that a model available at many hosts has the facts of its maker. */
const searched = [...makers, ...listed.keys()];

/**
 * Returns `null` if there is no entry. A maker prefix, `ft:`, a tag, `-latest` and a date in the name are ignored.
 */
export function findModelFacts(providerKey: string, model: string): ModelFacts | null {
  return look(providerKey, spell(model));
}

export function listKnownModels(providerKey: string): string[] {
  const vendors: Readonly<Record<string, object>> = table.vendors;
  return Object.keys(vendors[providerKey] ?? {});
}

/** Models of all vendors by name without the maker. The first vendor takes precedence. */
const byBareName = new Map<string, ModelFacts>();
for (const vendor of searched)
  for (const [name, facts] of listed.get(vendor) ?? [])
    byBareName.getOrInsertComputed(bare(name), () =>
      makers.includes(vendor) || vendor === 'others' ? facts : withoutDenials(facts),
    );

/** Removes features that are denied, since a host may lack a feature that the model has elsewhere. */
function withoutDenials(facts: ModelFacts): ModelFacts {
  return Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== false));
}

function look(providerKey: string, model: string): ModelFacts | null {
  const names = listSpellings(model);
  const own = listed.get(providerKey);
  const known = names.map((name) => own?.get(name)).find(Boolean);
  if (known) return known;
  const elsewhere = names.map((name) => byBareName.get(name)).find(Boolean);
  // `onlyResponses` concerns a model at one vendor and does not apply to other vendors.
  return elsewhere ? { ...elsewhere, onlyResponses: false } : null;
}

function bare(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1);
}

function spell(name: string): string {
  return name.toLowerCase().replaceAll('.', '-');
}

function listSpellings(model: string): readonly string[] {
  const name = bare(model).replace(/^ft:/, '');
  const untagged = name.replace(/:.*$/, '');
  const undated = untagged.replace(/(-latest|-\d{4}-\d\d-\d\d|-\d{8})$/, '');
  return [...new Set([model, name, name.replace(':', '-'), untagged, undated])];
}
