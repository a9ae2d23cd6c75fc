import { createLlmProviderBody } from '@sluice/contract';
import { createLlmProvider } from '#console/llm-providers/create.ts';
import { checkEndpointUrl } from '#upstream/outbound-guard.ts';
import { type Command, operandOf, textOption, UsageError } from '../command.ts';
import { asOperator } from '../operator.ts';
import { parseBody, splitList } from '../parse-body.ts';
import { apiKeyOptions, readProviderKey } from '../read-secret.ts';
import { requireTenantId } from '../store.ts';

export const createProvider: Command = {
  name: 'providers create',
  operands: ['VENDOR', 'NAME'],
  summary: 'Creates a provider instance and seals its key',
  details:
    'The key is the first line of standard input, or comes from a variable or a file; it is never an argument.\nVENDOR is a key of the registry, such as openai, anthropic, custom or sandbox.',
  options: {
    models: { value: 'LIST', summary: 'the models that it may serve, with commas between them; required' },
    endpoint: { value: 'URL', summary: "the API's URL; the vendor's own unless given" },
    default: { summary: 'makes it the default instance of its vendor' },
    tenant: { value: 'SLUG', summary: 'whose it is; needed where there are several tenants' },
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
    const instance = await asOperator(call.config, async ({ system, contextOf, openKeyring }) => {
      const tenantId = await requireTenantId(system, textOption(call, 'tenant'));
      const deps = {
        keyring: await openKeyring(),
        checkEndpointUrl: (url: string) => checkEndpointUrl(url, { allowPrivate }),
      };
      return createLlmProvider(deps, contextOf(tenantId, 'createLlmProvider'), body);
    });
    return {
      json: instance,
      text: `Created the provider instance ${instance.id}, "${body.provider_instance_name}".`,
    };
  },
};
