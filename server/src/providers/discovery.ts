import { z } from 'zod';

export interface Discovery {
  /** Model list. Absent if the vendor has no list, or lists other models than those that an instance can serve. */
  readonly list?: ModelList;
  /** Request that succeeds only with a valid key. Set if the list is public or absent. */
  readonly proof?: KeyProof;
}

export interface ModelList {
  readonly path: string;
  /** Returns the model names in a response; `null` if the response is not a list. */
  readonly read: (answer: unknown) => readonly string[] | null;
}

/**
 * Request for the account's own data, or an empty completion, which is rejected with a valid key only because it is
 * empty.
 */
export type KeyProof = { readonly path: (root: string) => string } | 'empty-completion';

const named = z.looseObject({ id: z.string() });

/** Reads `{"data": [{"id"}]}`. Some vendors omit the wrapper. */
export function readIds(answer: unknown): readonly string[] | null {
  const list = z.union([z.array(named), z.looseObject({ data: z.array(named) })]).safeParse(answer);
  if (!list.success) return null;
  const models = Array.isArray(list.data) ? list.data : list.data.data;
  return models.map(({ id }) => id);
}

const nameList = z.looseObject({ models: z.array(z.looseObject({ name: z.string() })) });

/**
 * Returns a reader for the format `{"models": [{"name"}]}` of Google, Cohere and Ollama. Models whose capabilities in
 * `field` include none of `wanted` are excluded.
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
