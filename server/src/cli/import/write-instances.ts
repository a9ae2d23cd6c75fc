import { createLlmProviderBody } from '@sluice/contract';
import { setFallbackOrder } from '#console/llm-providers/change-provider.ts';
import { createLlmProvider } from '#console/llm-providers/configure.ts';
import { ConsoleError } from '#errors/console-error.ts';
import { parseBody } from '../command.ts';
import type { FoundInstance } from './inventory.ts';
import { selectInstances } from './store.ts';
import type { Writing } from './writing.ts';

export type Instances = ReadonlyMap<
  FoundInstance,
  { readonly id: number; readonly models: ReadonlySet<string> }
>;

export async function writeInstances(writing: Writing): Promise<Instances> {
  const { author, counts, inventory, tx } = writing;
  const present = new Map(
    (await selectInstances(tx, author.tenantId)).map((row) => [row.name.toLowerCase(), row]),
  );
  const written = new Map<FoundInstance, { id: number; models: ReadonlySet<string> }>();
  let created = 0;
  for (const instance of inventory.instances) {
    const known = present.get(instance.name.toLowerCase());
    if (known) {
      counts.providers.existing++;
      counts.models.existing += instance.models.size;
      written.set(instance, { id: known.id, models: new Set(known.models) });
      continue;
    }
    const id = await createInstance(writing, instance).catch((error: unknown) => {
      if (!(error instanceof ConsoleError)) throw error;
      inventory.findings.leaveOut('providers', instance.name, error.message);
      return null;
    });
    if (id === null) continue;
    written.set(instance, { id, models: instance.models });
    counts.models.created += instance.models.size;
    created++;
  }
  counts.providers.created += created;
  const ids = [...new Set([...written.values()].map(({ id }) => id))];
  // Existing instances precede imported ones only if they have a position in the fallback order.
  if (created > 0) await setFallbackOrder(tx, author, { llm_provider_ids: ids });
  return written;
}

async function createInstance({ author, tx, ...deps }: Writing, found: FoundInstance): Promise<number> {
  const models = [...found.models];
  const body = parseBody(createLlmProviderBody, {
    provider_registry_id: found.providerKey,
    provider_instance_name: found.name,
    ...(found.apiKey !== null && { api_key: found.apiKey }),
    api_endpoint: found.endpoint,
    enabled_models: models,
    available_models: models,
    model_aliases: Object.fromEntries(found.aliases),
  });
  return (await createLlmProvider({ ...deps, sharesAliases: true }, tx, author, body)).id;
}
