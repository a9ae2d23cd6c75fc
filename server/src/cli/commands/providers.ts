import { createLlmProviderBody, grantUserAccessBody } from '@sluice/contract';
import { createLlmProvider } from '#console/llm-providers/configure.ts';
import { discoverModels } from '#console/llm-providers/discover-models.ts';
import { findSealedApiKey, findVendor, selectProviders } from '#console/llm-providers/store.ts';
import { grantUserAccess } from '#console/provider-access/grant.ts';
import { openSecret, providerKeyPlace } from '#platform/seal-secret.ts';
import { toVendorProvider } from '#providers/registry.ts';
import { createUpstreamClient } from '#upstream/client.ts';
import { checkEndpointUrl } from '#upstream/outbound-guard.ts';
import {
  type Command,
  formatTable,
  idOperand,
  operandOf,
  parseBody,
  splitList,
  textOption,
  UsageError,
} from '../command.ts';
import { asOperator, type Operator } from '../operator.ts';
import { apiKeyOptions, readProviderKey } from '../read-secret.ts';
import { requireTenantId, selectInstances } from '../store.ts';

export const listProviders: Command = {
  name: 'providers list',
  summary: 'Lists provider instances',
  options: { tenant: { value: 'SLUG', summary: 'only of this tenant' } },
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
  summary: 'Tests a provider instance from this machine with its stored key and lists its models',
  details: 'The test is free of charge. Only a running Sluice can reach the built-in sandbox.',
  async run(call) {
    const id = idOperand(call, 'ID');
    const candidate = await asOperator(call.config, (operator) => readCandidate(operator, id));
    if (candidate.provider.isBuiltIn)
      throw new Error('The sandbox is part of a running Sluice. Test it in the console.');
    const upstream = createUpstreamClient({ policy: { allowPrivate: call.config.canReachPrivateEndpoints } });
    try {
      const caller = { userId: null, tenantId: candidate.tenantId };
      const test = await discoverModels({ upstream, sandboxOrigin: null }, caller, candidate);
      const text = test.success
        ? [
            `The connection works: ${test.available_models.length} models are available.`,
            ...test.available_models,
          ].join('\n')
        : `The connection failed: ${test.error}`;
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
    if (!row || !provider) throw new Error(`The provider of instance ${id} is disabled.`);
    const sealed = await findSealedApiKey(tx, tenantId, id);
    const apiKey = sealed ? openSecret(sealingKey, providerKeyPlace(tenantId, id), sealed) : null;
    return { tenantId, provider, endpoint: row.apiEndpoint, apiKey };
  });
}

export const createProvider: Command = {
  name: 'providers create',
  operands: ['VENDOR', 'NAME'],
  summary: 'Creates a provider instance and encrypts its key',
  details:
    'The key is read from the first line of standard input, from a variable or from a file; it cannot be an argument.\nVENDOR is a key of the registry, such as openai, anthropic, custom or sandbox.',
  options: {
    models: { value: 'LIST', summary: 'comma-separated models to enable; required' },
    endpoint: { value: 'URL', summary: "URL of the API; default: the vendor's URL" },
    default: { summary: 'makes it the default instance of its vendor' },
    tenant: { value: 'SLUG', summary: 'tenant of the new object; required if there are several tenants' },
    ...apiKeyOptions,
  },
  async run(call) {
    const models = splitList(textOption(call, 'models') ?? '');
    if (models.length === 0) throw new UsageError('--models is missing.');
    const apiKey = await readProviderKey(call);
    const body = parseBody(createLlmProviderBody, {
      provider_registry_id: operandOf(call, 'VENDOR'),
      provider_instance_name: operandOf(call, 'NAME'),
      enabled_models: models,
      available_models: models,
      api_endpoint: textOption(call, 'endpoint'),
      is_default: call.options.default === true,
      ...(apiKey !== undefined && { api_key: apiKey }),
    });
    const allowPrivate = call.config.canReachPrivateEndpoints;
    const instance = await asOperator(call.config, async ({ system, inTenant, openKeyring }) => {
      const tenantId = await requireTenantId(system, textOption(call, 'tenant'));
      const deps = {
        keyring: await openKeyring(),
        checkEndpointUrl: (url: string) => checkEndpointUrl(url, { allowPrivate }),
      };
      return inTenant(tenantId, 'createLlmProvider', (tx, author) =>
        createLlmProvider(deps, tx, author, body),
      );
    });
    return {
      json: instance,
      text: `Created the provider instance ${instance.id}, "${body.provider_instance_name}".`,
    };
  },
};

export const grantProvider: Command = {
  name: 'providers grant',
  operands: ['ID', 'EMAIL'],
  summary: 'Grants a user access to models of a provider instance',
  options: {
    models: {
      value: 'LIST',
      summary: 'comma-separated models; default: all models that the instance enables',
    },
  },
  async run(call) {
    const email = operandOf(call, 'EMAIL');
    const instanceId = idOperand(call, 'ID');
    const access = await asOperator(call.config, async ({ system, requirePerson, inTenant }) => {
      const { id: userId, tenantId } = await requirePerson(email);
      const instances = await selectInstances(system, undefined);
      const instance = instances.find(({ id, tenant_id }) => id === instanceId && tenant_id === tenantId);
      if (!instance) throw new Error(`The tenant of ${email} has no provider instance ${instanceId}.`);
      const models = textOption(call, 'models');
      const body = parseBody(grantUserAccessBody, {
        user_id: userId,
        llm_provider_id: instance.id,
        allowed_models: models === undefined ? instance.enabled_models : splitList(models),
      });
      return inTenant(tenantId, 'grantUserAccess', (tx, author) => grantUserAccess(tx, author, body));
    });
    return { json: access, text: `${email} may use ${access.allowed_models.join(', ')}.` };
  },
};
