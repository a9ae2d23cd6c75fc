import { scimSchemas } from '@sluice/contract';
import { invalid } from '#errors/scim-error.ts';

/** Query parameters that select the attributes of a response (RFC 7644, section 3.9). */
export interface AttributesQuery {
  readonly attributes?: string | undefined;
  readonly excludedAttributes?: string | undefined;
}

interface Selection {
  /** The name must be lowercase. */
  wants(attribute: string): boolean;
  apply(resource: Readonly<Record<string, unknown>>): Record<string, unknown>;
}

/** Lowercase sub-attributes by lowercase attribute. An empty set means the whole attribute. */
type Names = ReadonlyMap<string, ReadonlySet<string>>;

const always = ['schemas', 'id'];
const namesMax = 50;
const urns = new RegExp(`^(?:${Object.values(scimSchemas).join('|')}):`, 'i');

/** @throws ScimError 400 `invalidValue` if both parameters are specified, or for more than 50 names */
export function createSelection({ attributes, excludedAttributes }: AttributesQuery): Selection {
  if (attributes && excludedAttributes)
    throw invalid('invalidValue', 'Send either attributes or excludedAttributes, not both.');
  const included = attributes ? parseNames(attributes) : null;
  const excluded = parseNames(excludedAttributes ?? '');
  const wants = (attribute: string) =>
    always.includes(attribute) || (included ? included.has(attribute) : excluded.get(attribute)?.size !== 0);
  return {
    wants,
    apply(resource) {
      const kept = Object.entries(resource).filter(([name]) => wants(name.toLowerCase()));
      return Object.fromEntries(
        kept.map(([name, value]) => {
          const lower = name.toLowerCase();
          return [name, pickParts(value, included?.get(lower), excluded.get(lower))];
        }),
      );
    },
  };
}

function parseNames(text: string): Names {
  const names = new Map<string, Set<string>>();
  const given = text.split(',').filter((name) => name.trim() !== '');
  if (given.length > namesMax) throw invalid('invalidValue', `At most ${namesMax} attributes can be named.`);
  for (const name of given) {
    const [attribute = '', sub] = name.trim().replace(urns, '').toLowerCase().split('.');
    const parts = names.get(attribute);
    if (sub === undefined) names.set(attribute, new Set());
    else if (!parts) names.set(attribute, new Set([sub]));
    else if (parts.size > 0) parts.add(sub);
  }
  return names;
}

function pickParts(
  value: unknown,
  included: ReadonlySet<string> | undefined,
  excluded: ReadonlySet<string> | undefined,
): unknown {
  const isPart = (name: string) =>
    !(included && included.size > 0 && !included.has(name)) && !excluded?.has(name);
  const pick = (part: unknown): unknown =>
    typeof part === 'object' && part !== null
      ? Object.fromEntries(Object.entries(part).filter(([name]) => isPart(name.toLowerCase())))
      : part;
  if (!included?.size && !excluded?.size) return value;
  return Array.isArray(value) ? value.map(pick) : pick(value);
}
