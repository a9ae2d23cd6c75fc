import { discoverModels } from '#console/llm-providers/discover-models.ts';
import { findSealedApiKey, findVendor, selectProviders } from '#console/llm-providers/store.ts';
import { openSecret, providerKeyPlace } from '#platform/seal-secret.ts';
import { toVendorProvider } from '#providers/registry.ts';
import { createUpstreamClient } from '#upstream/client.ts';
import { type Command, numberOperand, textOption, UsageError } from '../command.ts';
import { asOperator, type Operator } from '../operator.ts';
import { formatTable } from '../print-table.ts';
import { selectInstances } from '../store.ts';

export const listProviders: Command = {
  name: 'providers list',
  summary: 'Lists provider instances',
  options: { tenant: { value: 'SLUG', summary: 'of this tenant alone' } },
  async run(call) {
    const instances = await asOperator(call.config, ({ system }) =>
      selectInstances(system, textOption(call, 'tenant')),
    );
    const rows = instances.map((row) => [
      row.id,
      row.name,
      row.provider,
      row.tenant,
      row.is_active,
      row.has_key,
    ]);
    return {
      json: instances,
      text: formatTable(['id', 'name', 'provider', 'tenant', 'active', 'key'], rows),
    };
  },
};

export const testProvider: Command = {
  name: 'providers test',
  operands: ['ID'],
  summary: 'Tries a provider instance from this machine with its stored key, and lists its models',
  details: 'It costs nothing. The built-in sandbox is reached by a running Sluice only.',
  async run(call) {
    const id = numberOperand(call, 'ID');
    if (!Number.isSafeInteger(id) || id < 1)
      throw new UsageError('ID is the number that `providers list` shows.');
    const candidate = await asOperator(call.config, (operator) => readCandidate(operator, id));
    if (candidate.provider.isBuiltIn)
      throw new Error('The sandbox is a part of a running Sluice: test it there.');
    const upstream = createUpstreamClient({ policy: { allowPrivate: call.config.canReachPrivateEndpoints } });
    try {
      const asker = { userId: null, tenantId: candidate.tenantId };
      const test = await discoverModels({ upstream, sandboxOrigin: null }, asker, candidate);
      const text = test.success
        ? [`It answers, with ${test.available_models.length} models.`, ...test.available_models].join('\n')
        : `It fails: ${test.error}`;
      return { json: test, text, exitCode: test.success ? 0 : 1 };
    } finally {
      await upstream.close();
    }
  },
};

async function readCandidate({ system, inTenant, openKeyring }: Operator, id: number) {
  const instance = (await selectInstances(system, undefined)).find((row) => row.id === id);
  if (!instance) throw new Error(`There is no provider instance ${id}.`);
  const { sealingKey } = await openKeyring();
  const tenantId = instance.tenant_id;
  return inTenant(tenantId, 'testLlmProvider', async (tx) => {
    const [row] = await selectProviders(tx, tenantId, id);
    const vendor = row && (await findVendor(tx, row.registryId));
    const provider = vendor && toVendorProvider(vendor);
    if (!row || !provider) throw new Error(`The provider of instance ${id} is switched off.`);
    const sealed = await findSealedApiKey(tx, tenantId, id);
    const apiKey = sealed ? openSecret(sealingKey, providerKeyPlace(tenantId, id), sealed) : null;
    return { tenantId, provider, endpoint: row.apiEndpoint, apiKey };
  });
}
