import { z } from 'zod';

/** How the models of a vendor are found and a key is tried, neither of which costs anything. */
export interface Discovery {
  /** Absent where a vendor lists none, or not those that an instance can serve. */
  readonly list?: ModelList;
  /** What only a good key gets through, where the list is open to all or absent. */
  readonly proof?: KeyProof;
}

export interface ModelList {
  readonly path: string;
  /** The names in an answer; `null` when it is no list. */
  readonly read: (answer: unknown) => readonly string[] | null;
}

/** A look at something of one's own, or a completion that asks for nothing and is refused for that alone. */
export type KeyProof = { readonly path: (root: string) => string } | 'empty-completion';

const named = z.looseObject({ id: z.string() });

/** `{"data": [{"id"}]}`, as OpenAI and Anthropic list; some leave the wrapper out. */
export function readIds(answer: unknown): readonly string[] | null {
  const list = z.union([z.array(named), z.looseObject({ data: z.array(named) })]).safeParse(answer);
  if (!list.success) return null;
  const models = Array.isArray(list.data) ? list.data : list.data.data;
  return models.map(({ id }) => id);
}

const nameList = z.looseObject({ models: z.array(z.looseObject({ name: z.string() })) });

/**
 * `{"models": [{"name"}]}`, as Google, Cohere and Ollama list; without those whose `field` tells what they can do, and
 * not one of what is wanted.
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
