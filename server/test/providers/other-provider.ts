import { LLMock } from '@copilotkit/aimock';

export const otherAnswer = 'The Rhine is 1233 km long, from the Alps to the sea.';
export const otherCalls = [
  { name: 'find_river', arguments: { name: 'Rhine', length: 1233 } },
  { name: 'now', arguments: {} },
];

/** Starts a third-party mock provider for every protocol, as an independent check in addition to the sandbox. */
export function startOtherProvider(): Promise<LLMock> {
  const provider = new LLMock({ logLevel: 'silent', chunkSize: 5 });
  provider.on({ hasToolResult: true }, { content: otherAnswer });
  provider.on(
    { toolName: 'find_river' },
    { toolCalls: otherCalls.map((call) => ({ ...call, arguments: JSON.stringify(call.arguments) })) },
  );
  provider.onMessage(/./, { content: otherAnswer });
  return provider.start().then(() => provider);
}
