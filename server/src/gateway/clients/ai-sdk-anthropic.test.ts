import { createAnthropic } from '@ai-sdk/anthropic';
import { createAiSdkClient } from '#test/requests/ai-sdk-client.ts';
import { describeClient } from '#test/requests/client-suite.ts';

describeClient('ai with @ai-sdk/anthropic', ({ origin, apiKey, headers }) => {
  const provider = createAnthropic({ apiKey, baseURL: `${origin}/api/v1`, headers });
  return createAiSdkClient({
    model: (name) => provider(name),
    // The mode `jsonTool` would force a tool call, which Ollama does not support.
    always: { anthropic: { structuredOutputMode: 'outputFormat' } },
    thinking: { anthropic: { thinking: { type: 'adaptive', display: 'summarized' } } },
  });
});
