import { createOpenAI } from '@ai-sdk/openai';
import { createAiSdkClient } from '#test/requests/ai-sdk-client.ts';
import { describeClient } from '#test/requests/client-suite.ts';

describeClient('ai with @ai-sdk/openai (responses)', ({ origin, apiKey, headers }) => {
  const provider = createOpenAI({ apiKey, baseURL: `${origin}/api/v1`, headers });
  return createAiSdkClient({
    model: (name) => provider.responses(name),
    // Otherwise, the client references previous output items by id, but they are not stored.
    always: { openai: { store: false } },
    thinking: {
      openai: { forceReasoning: true, reasoningEffort: 'low', reasoningSummary: 'auto', store: false },
    },
  });
});
