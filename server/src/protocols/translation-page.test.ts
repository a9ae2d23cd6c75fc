import { expect, it } from 'vitest';
import { callerProtocols } from '#test/requests/through-callers.ts';
import type { ProtocolId } from './canonical/content.ts';
import { protocols } from './registry.ts';
import { features, findOutcome, writePage } from './testing/translation/page.ts';

it('docs/TRANSLATION.md matches the behavior of the code', async () => {
  await expect(writePage()).toMatchFileSnapshot('../../../docs/TRANSLATION.md');
});

const ways = features.flatMap((feature) =>
  callerProtocols.flatMap((caller) =>
    // safe because the keys of the registry are the protocols
    (Object.keys(protocols) as ProtocolId[]).map((upstream) => ({ feature, caller, upstream })),
  ),
);

it.each(ways)(
  '$feature.name is never dropped silently from $caller.id to $upstream',
  ({ feature, caller, upstream }) => {
    const outcome = findOutcome(feature, caller, upstream);
    expect(outcome?.kind).not.toBe('lost');
    if (outcome?.kind === 'refused') {
      expect(outcome.param).toMatch(/^[\w.[\]]+$/);
      expect(outcome.message).toMatch(/^\S.{20,}\.$/s);
    }
  },
);
