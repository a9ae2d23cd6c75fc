import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type ScriptedInstances, startScriptedInstances } from '#test/providers/scripted-instances.ts';
import { answerCompletion, answerWith, type Script } from '#test/providers/scripted-provider.ts';

const names = ['ada', 'ben', 'cleo'] as const;
type Name = (typeof names)[number];

let instances: ScriptedInstances<Name>;
beforeAll(async () => {
  const upstream = { connectMs: 5_000, firstByteMs: 300, idleMs: 2_000, totalMs: 60_000 };
  instances = await startScriptedInstances(names, ['m', 'cooling'], {
    timeouts: { streaming: upstream, nonStreaming: upstream, retriesMax: 0 },
  });
});
afterAll(() => instances.stop());

const asked: Name[] = [];
const play = (scripts: Partial<Record<Name, Script>>) => {
  for (const name of names) {
    const script = scripts[name] ?? answerCompletion();
    instances.providers[name].script = (response, call) => {
      asked.push(name);
      script(response, call);
    };
  }
};
beforeEach(() => void asked.splice(0));
afterEach(async () => {
  play({});
  for (const id of Object.values(instances.ids)) await instances.console.endMaintenance({ params: { id } });
});

const order = (...ordered: Name[]) =>
  instances.console.setFallbackOrder({
    body: { llm_provider_ids: ordered.map((name) => instances.ids[name]) },
  });
const ask = async (model = 'm') => {
  asked.splice(0);
  const answer = await instances.gateway.complete({ model });
  await answer.text();
  return { status: answer.status, asked: [...asked] };
};
const fails = answerWith(500, '{}');
const isSilent: Script = () => undefined;

describe('fallback order', () => {
  it('fallback order is by age until an order is set, which applies from the next request on', async () => {
    play({ ada: fails, ben: fails });
    expect(await ask()).toEqual({ status: 200, asked: ['ada', 'ben', 'cleo'] });
    await order('cleo', 'ben', 'ada');
    play({ cleo: fails, ben: fails });
    expect(await ask()).toEqual({ status: 200, asked: ['cleo', 'ben', 'ada'] });
    await order('ben', 'ada', 'cleo');
    expect(await ask()).toEqual({ status: 200, asked: ['ben', 'ada'] });
  });

  it.each<[name: string, script: Script]>([
    ['an error', fails],
    ['silence', isSilent],
    ['a refused key', answerWith(401, '{}')],
  ])(
    'fallback order continues to the next instance after %s of the first and second instance',
    async (_, script) => {
      await order('cleo', 'ada', 'ben');
      play({ cleo: script });
      expect(await ask()).toEqual({ status: 200, asked: ['cleo', 'ada'] });
      play({ cleo: script, ada: script });
      expect(await ask()).toEqual({ status: 200, asked: ['cleo', 'ada', 'ben'] });
    },
  );

  it('fallback order skips instances in maintenance', async () => {
    await order('cleo', 'ada', 'ben');
    play({});
    await instances.console.startMaintenance({ params: { id: instances.ids.cleo }, body: {} });
    expect(await ask()).toEqual({ status: 200, asked: ['ada'] });
    await instances.console.startMaintenance({ params: { id: instances.ids.ada }, body: {} });
    expect(await ask()).toEqual({ status: 200, asked: ['ben'] });
  });

  it('fallback order skips instances in cooldown', async () => {
    await order('cleo', 'ada', 'ben');
    play({ cleo: fails });
    for (let count = 0; count < 10; count++)
      expect(await ask('cooling')).toEqual({ status: 200, asked: ['cleo', 'ada'] });
    expect(await ask('cooling')).toEqual({ status: 200, asked: ['ada'] });
    play({ ada: fails });
    for (let count = 0; count < 10; count++) await ask('cooling');
    expect(await ask('cooling')).toEqual({ status: 200, asked: ['ben'] });
  });

  it('fallback order starts with the default instance', async () => {
    await order('cleo', 'ada', 'ben');
    const setDefault = (is_default: boolean) =>
      instances.console.updateLlmProvider({ params: { id: instances.ids.ben }, body: { is_default } });
    await setDefault(true);
    play({ ben: fails });
    expect(await ask()).toEqual({ status: 200, asked: ['ben', 'cleo'] });
    await setDefault(false);
  });
});

it('fallback order keeps unlisted instances after the listed ones', async () => {
  await order('cleo', 'ben', 'ada');
  await order('ada');
  play({ ada: fails, cleo: fails });
  expect(await ask()).toEqual({ status: 200, asked: ['ada', 'cleo', 'ben'] });
});

describe('invalid fallback order', () => {
  it.each<[name: string, findIds: () => number[]]>([
    ['that names an instance twice', () => [instances.ids.ada, instances.ids.ada]],
    ['that names an unknown instance', () => [instances.ids.ada, 2_147_483_647]],
  ])('setFallbackOrder rejects an order %s', async (_, findIds) => {
    const body = { llm_provider_ids: findIds() };
    await expect(instances.console.setFallbackOrder({ body })).rejects.toMatchObject({ status: 422 });
  });
});
