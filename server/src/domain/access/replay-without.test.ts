import { describe, expect, it } from 'vitest';
import { createModelDirectory, type ProviderInstance } from '../resolve-model.ts';
import { createBlock } from './blacklist.ts';
import { type ReplayedWorld, replayWithout } from './replay-without.ts';

const instance = (id: number, given: Partial<ProviderInstance> = {}): ProviderInstance => ({
  id,
  tenantId: 1,
  name: `instance-${id}`,
  providerKey: id === 1 ? 'openai' : 'custom',
  endpoint: null,
  enabledModels: ['m'],
  aliases: {},
  isDefault: false,
  isActive: true,
  maintenance: null,
  fallbackPosition: null,
  createdAtMs: id,
  ...given,
});

interface Given extends Partial<ReplayedWorld<ProviderInstance>> {
  instances?: ProviderInstance[];
  granted?: number[];
  blockedProvider?: string;
}

const replay = (
  { instances = [instance(1), instance(2)], granted = [1, 2], blockedProvider, ...given }: Given,
  name = 'm',
) => {
  const block = { id: 1, providerKey: blockedProvider ?? '', modelPattern: null, reason: 'a test' };
  const { target, failure } = replayWithout(name, {
    downId: 1,
    rights: {
      role: 'user',
      directory: createModelDirectory(instances),
      blocks: blockedProvider === undefined ? [] : [createBlock(block)],
      grants: granted.map((instanceId) => ({ instanceId, models: new Set(['m']) })),
      listTeamGrants: () => [],
    },
    canCarry: () => true,
    cooldownMsOf: () => null,
    nowMs: 0,
    ...given,
  });
  return failure ?? target?.instance.name;
};

describe('replayWithout', () => {
  const maintenance = { untilMs: null, reason: null };
  it.each<[name: string, given: Given, outcome: string]>([
    ['uses the next instance', {}, 'instance-2'],
    [
      'uses the next instance in the fallback order',
      {
        instances: [instance(1), instance(2), instance(3, { fallbackPosition: 1 })],
        granted: [1, 2, 3],
      },
      'instance-3',
    ],
    ['fails if no other instance has the model', { instances: [instance(1)] }, 'no_fallback'],
    ['fails if the user may not use the other instances', { granted: [1] }, 'not_granted'],
    ['fails if the other instances are blacklisted', { blockedProvider: 'custom' }, 'blacklisted'],
    [
      'fails if the other instances are in maintenance',
      { instances: [instance(1), instance(2, { maintenance })] },
      'in_maintenance',
    ],
    ['fails if the other instances are in cooldown', { cooldownMsOf: () => 900 }, 'in_cooldown'],
    ['fails if the other instances do not support the request', { canCarry: () => false }, 'cannot_carry'],
  ])('replayWithout %s', (_, given, outcome) => {
    expect(replay(given)).toBe(outcome);
  });

  it('replayWithout does not reroute a request that names the instance', () => {
    expect(replay({}, 'instance-1/m')).toBe('no_fallback');
  });
});
