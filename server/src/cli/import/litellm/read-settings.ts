import { z } from 'zod';
import type { LitellmSettings } from './rows.ts';

const fallbacks = z
  .array(z.record(z.string(), z.array(z.string())))
  .nullish()
  .catch(null);
const aliases = z.record(z.string(), z.union([z.string(), z.looseObject({ model: z.string() })]));
const section = z.record(z.string(), z.unknown()).nullish().catch(null);

/** Settings that are imported or have no relevance for an import. */
const carried = new Set([
  'fallbacks',
  'model_group_alias',
  'master_key',
  'database_url',
  'store_model_in_db',
]);

export function readSettings(config: Readonly<Record<string, unknown>>): LitellmSettings {
  const [router, litellm, general, environment] = [
    'router_settings',
    'litellm_settings',
    'general_settings',
    'environment_variables',
  ].map((name) => section.parse(config[name]) ?? {}) as [Section, Section, Section, Section];
  const alias = aliases.safeParse(router.model_group_alias ?? litellm.model_group_alias ?? {});
  return {
    fallbacks: [router, litellm].flatMap((settings) => fallbacks.parse(settings.fallbacks) ?? []),
    aliases: Object.fromEntries(
      Object.entries(alias.data ?? {}).map(([name, target]) => [
        name,
        typeof target === 'string' ? target : target.model,
      ]),
    ),
    environment: Object.fromEntries(
      Object.entries(environment).flatMap(([name, value]) =>
        typeof value === 'string' ? [[name, value]] : [],
      ),
    ),
    ignored: [
      ...listIgnored('router_settings', router),
      ...listIgnored('litellm_settings', litellm),
      ...listIgnored('general_settings', general),
    ],
  };
}

type Section = Record<string, unknown>;

const listIgnored = (name: string, settings: Section) =>
  Object.keys(settings)
    .filter((key) => !carried.has(key))
    .map((key) => `${name}.${key}`);
