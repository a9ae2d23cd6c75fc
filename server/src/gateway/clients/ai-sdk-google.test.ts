import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createAiSdkClient } from '#test/requests/ai-sdk-client.ts';
import { describeClient } from '#test/requests/client-suite.ts';

describeClient('ai with @ai-sdk/google', ({ origin, apiKey, headers }) => {
  const provider = createGoogleGenerativeAI({ apiKey, baseURL: `${origin}/api/v1beta`, headers });
  const client = createAiSdkClient({
    model: (name) => provider(name),
    thinking: { google: { thinkingConfig: { includeThoughts: true, thinkingBudget: 1_024 } } },
  });
  // This provider finishes tool calls with FUNCTION_CALL, whereas Google returns STOP.
  return { ...client, overlooksCallsOf: 'gemini' };
});
