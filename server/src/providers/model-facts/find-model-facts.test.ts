import { describe, expect, it } from 'vitest';
import { findModelFacts } from './find-model-facts.ts';
import table from './model-facts.json' with { type: 'json' };

type Facts = Readonly<Record<string, unknown>>;

const rows = Object.entries<Readonly<Record<string, Facts>>>(table.vendors).flatMap(([vendor, models]) =>
  Object.entries(models).map(([model, facts]) => ({ vendor, model, facts })),
);
const makers = new Set(['anthropic', 'cohere', 'deepseek', 'google', 'mistral', 'moonshot', 'openai', 'xai']);
const hosts = [...new Set(rows.map(({ vendor }) => vendor))].filter((vendor) => vendor !== 'others');

describe('findModelFacts', () => {
  it('findModelFacts denies reasoning only if the host, the maker or most hosts deny it', () => {
    const denied = rows.filter(
      ({ vendor, facts }) => facts.reasoning === false && !makers.has(vendor) && vendor !== 'others',
    );
    const spread = denied.flatMap(({ vendor, model }) =>
      hosts
        .filter((host) => host !== vendor)
        .filter((host) => findModelFacts(host, model)?.reasoning === false)
        .filter((host) => !rows.some((row) => isDeniedBy(row, host, model)))
        .map((host) => `${host} denies ${model}, which only ${vendor} does`),
    );
    expect(denied.length).toBeGreaterThan(20);
    expect(spread).toEqual([]);
  });

  it('an entry that contains only prices denies no capability', () => {
    const bare = rows.filter(
      ({ vendor, facts }) =>
        (makers.has(vendor) || vendor === 'azure_openai') && !facts.context && !facts.output,
    );
    expect(bare.length).toBeGreaterThan(20);
    expect(bare.filter(({ facts }) => facts.reasoning === false || facts.vision === false)).toEqual([]);
  });

  it.each(rows.filter(({ facts }) => Object.keys(facts).length === 0))(
    'the entry of $model at $vendor, which has no facts, does not hide the entries of others',
    ({ vendor, model }) => {
      const elsewhere = findModelFacts('custom', model);
      expect(findModelFacts(vendor, model)).toMatchObject(
        elsewhere?.context ? { context: elsewhere.context } : {},
      );
    },
  );

  it('findModelFacts does not deny reasoning at the vendor of a model if only another host denies it', () => {
    expect(findModelFacts('google', 'gemini-3-pro-preview')?.reasoning).toBeUndefined();
  });
});

function isDeniedBy(
  { vendor, model: listed, facts }: (typeof rows)[number],
  host: string,
  model: string,
): boolean {
  const isSame = bare(listed) === bare(model);
  return (
    isSame && facts.reasoning === false && (vendor === host || makers.has(vendor) || vendor === 'others')
  );
}

const bare = (name: string) =>
  name
    .slice(name.lastIndexOf('/') + 1)
    .replace(/:.*$/, '')
    .replace(/(-latest|-\d{4}-\d\d-\d\d|-\d{8})$/, '');
