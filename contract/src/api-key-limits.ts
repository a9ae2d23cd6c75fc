import { z } from 'zod';
import { isPlainLine, notPlainLine } from './fields.ts';
import { id } from './ids.ts';
import { labelSet } from './labels.ts';

/**
 * A `primary` key is the user's own, `named` keys are additional, and a `task` key is valid for one task until it is
 * closed.
 */
export const apiKeyKinds = ['primary', 'named', 'task'] as const;

export type ApiKeyKind = (typeof apiKeyKinds)[number];

export const apiKeyDialects = ['openai-chat', 'openai-responses', 'anthropic-messages', 'gemini'] as const;

export type ApiKeyDialect = (typeof apiKeyDialects)[number];

const modelsMax = 100;
const networksMax = 50;

const isNetwork = (text: string) =>
  [z.cidrv4(), z.cidrv6(), z.ipv4(), z.ipv6()].some((schema) => schema.safeParse(text).success);

/** Adds the prefix length of a single host, `/32` or `/128`, to a plain IP address. */
function toCidr(text: string): string {
  if (text.includes('/')) return text.toLowerCase();
  return text.includes(':') ? `${text.toLowerCase()}/128` : `${text}/32`;
}

const notNetwork = 'Please enter IP addresses or ranges in CIDR notation, such as 203.0.113.0/24';

const network = z.string().trim().max(60, notNetwork).refine(isNetwork, notNetwork).transform(toCidr);

const unique = <Item>(items: readonly Item[]): Item[] => [...new Set(items)];

/** Each restriction is optional. `null` allows everything that the owner of the key may use. */
export const apiKeyLimits = {
  /** The key may use only models that its owner may use. */
  models: z
    .array(
      z
        .string()
        .trim()
        .min(1, 'A model name is required')
        .max(200, 'A model name must be at most 200 characters'),
    )
    .min(1, 'At least one model is required. Send null to allow all models')
    .max(modelsMax, `A key can be limited to at most ${modelsMax} models`)
    .transform(unique)
    .nullable(),
  dialects: z
    .array(z.enum(apiKeyDialects, 'Please choose one of the listed protocols'))
    .min(1, 'At least one protocol is required. Send null to allow all protocols')
    .max(apiKeyDialects.length)
    .transform((chosen): ApiKeyDialect[] => apiKeyDialects.filter((dialect) => chosen.includes(dialect)))
    .nullable(),
  /** The key works only from these client networks. */
  allowed_networks: z
    .array(network)
    .min(1, 'At least one network is required. Send null to allow all networks')
    .max(networksMax, `A key can be limited to at most ${networksMax} networks`)
    .transform(unique)
    .nullable(),
  /** Used for requests that name no task. */
  task_id: id.nullable(),
  labels: labelSet,
};

/** Error messages call the field `label`. */
export const keyNameAs = (label: string) =>
  z
    .string(`${label} is required`)
    .trim()
    .min(1, `${label} is required`)
    .max(100, `${label} must be at most 100 characters`)
    .refine(isPlainLine, notPlainLine(label));

export const apiKeyName = keyNameAs('Name');
