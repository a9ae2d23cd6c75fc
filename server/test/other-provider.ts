import { LLMock } from '@copilotkit/aimock';

/** What it says, and the calls that it makes of a request with tools. */
export const otherAnswer = 'The Rhine is 1233 km long, from the Alps to the sea.';
export const otherCalls = [
  { name: 'find_river', arguments: { name: 'Rhine', length: 1233 } },
  { name: 'now', arguments: {} },
];

/** A provider that others have written, and that speaks every protocol: a second opinion beside the sandbox. */
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
