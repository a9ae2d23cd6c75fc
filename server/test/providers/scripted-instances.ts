import { authRoutes, createClient, llmProvidersRoutes } from '@sluice/contract';
import { startGateway, type TestGateway, type TestGatewayOptions } from '../console/gateway.ts';
import { answerCompletion, type ScriptedProvider, startScriptedProvider } from './scripted-provider.ts';

export interface ScriptedInstances<Name extends string> {
  readonly gateway: TestGateway;
  readonly console: ReturnType<typeof createClient<typeof llmProvidersRoutes>>;
  readonly headers: () => { authorization: string };
  readonly ids: Readonly<Record<Name, number>>;
  readonly providers: Readonly<Record<Name, ScriptedProvider>>;
  stop(): Promise<void>;
}

/** Starts the oldest instance first. The API keys are `sk-` followed by the name. */
export async function startScriptedInstances<const Name extends string>(
  names: readonly Name[],
  models: readonly string[],
  options: Omit<TestGatewayOptions, 'seed'> = {},
): Promise<ScriptedInstances<Name>> {
  await using cleanup = new AsyncDisposableStack();
  const ids = new Map<Name, number>();
  const providers = new Map<Name, ScriptedProvider>();
  for (const name of names) {
    const provider = await startScriptedProvider(answerCompletion());
    cleanup.defer(() => provider.close());
    providers.set(name, provider);
  }
  const gateway = await startGateway({
    ...options,
    async seed(seed) {
      for (const [name, { origin }] of providers) {
        const instance = {
          name,
          models: [...models],
          endpoint: `${origin}/v1`,
          providerApiKey: `sk-${name}`,
        };
        ids.set(name, await seed.addInstance(instance));
      }
    },
  });
  cleanup.defer(gateway.stop);
  const { email: username, password } = gateway.admin;
  const auth = createClient(authRoutes, { baseUrl: gateway.origin, headers: () => ({}) });
  const { access_token } = await auth.login({ form: { username, password } });
  const headers = () => ({ authorization: `Bearer ${access_token}` });
  const running = cleanup.move();
  return {
    gateway,
    headers,
    console: createClient(llmProvidersRoutes, { baseUrl: gateway.origin, headers }),
    // safe because both lists have an entry for each name
    ids: Object.fromEntries(ids) as Record<Name, number>,
    providers: Object.fromEntries(providers) as Record<Name, ScriptedProvider>,
    stop: () => running.disposeAsync(),
  };
}
