import { z } from 'zod';

/** Free requests that list a vendor's models and verify a key. */
export interface Discovery {
  /** Absent if the vendor does not list its models, or lists others than those that an instance can serve. */
  readonly list?: ModelList;
  /** Request that succeeds only with a valid key; set if the list is public or absent. */
  readonly proof?: KeyProof;
}

export interface ModelList {
  readonly path: string;
  /** Returns the names in a response; `null` if it is not a list. */
  readonly read: (answer: unknown) => readonly string[] | null;
}

/** A request for the account's own data, or an empty completion that is rejected only because it is empty. */
export type KeyProof = { readonly path: (root: string) => string } | 'empty-completion';

const named = z.looseObject({ id: z.string() });

/** Reads `{"data": [{"id"}]}`, as OpenAI and Anthropic return it; some vendors omit the wrapper. */
export function readIds(answer: unknown): readonly string[] | null {
  const list = z.union([z.array(named), z.looseObject({ data: z.array(named) })]).safeParse(answer);
  if (!list.success) return null;
  const models = Array.isArray(list.data) ? list.data : list.data.data;
  return models.map(({ id }) => id);
}

const nameList = z.looseObject({ models: z.array(z.looseObject({ name: z.string() })) });

/**
 * Reads `{"models": [{"name"}]}`, as Google, Cohere and Ollama return it; excludes models whose capabilities in `field`
 * include none of `wanted`.
 */
export function readNames(field?: string, wanted: readonly string[] = []): ModelList['read'] {
  return (answer) => {
    const list = nameList.safeParse(answer);
    if (!list.success) return null;
    const served = list.data.models.filter((model) => {
      const abilities = field === undefined ? null : model[field];
      return !Array.isArray(abilities) || wanted.some((ability) => abilities.includes(ability));
    });
    return served.map(({ name }) => name);
  };
}
