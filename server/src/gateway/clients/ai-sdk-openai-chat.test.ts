import { createOpenAI } from '@ai-sdk/openai';
import { createAiSdkClient } from '#test/requests/ai-sdk-client.ts';
import { describeClient } from '#test/requests/client-suite.ts';

describeClient('ai with @ai-sdk/openai (chat completions)', ({ origin, apiKey, headers }) => {
  const provider = createOpenAI({ apiKey, baseURL: `${origin}/api/v1`, headers });
  return createAiSdkClient({
    model: (name) => provider.chat(name),
    embeddings: (name) => provider.embeddingModel(name),
  });
});
