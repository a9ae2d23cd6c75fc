import { createOpenAI } from '@ai-sdk/openai';
import { createAiSdkClient } from '../../../test/ai-sdk-client.ts';
import { describeClient } from '../../../test/client-suite.ts';

describeClient('ai with @ai-sdk/openai (responses)', ({ origin, apiKey, headers }) => {
  const provider = createOpenAI({ apiKey, baseURL: `${origin}/api/v1`, headers });
  return createAiSdkClient({
    model: (name) => provider.responses(name),
    // Else it refers to items of former answers by their ids, which nobody keeps.
    always: { openai: { store: false } },
    thinking: {
      openai: { forceReasoning: true, reasoningEffort: 'low', reasoningSummary: 'auto', store: false },
    },
  });
});
