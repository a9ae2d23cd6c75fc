import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createAiSdkClient } from '../../../test/ai-sdk-client.ts';
import { describeClient } from '../../../test/client-suite.ts';

describeClient('ai with @ai-sdk/google', ({ origin, apiKey, headers }) => {
  const provider = createGoogleGenerativeAI({ apiKey, baseURL: `${origin}/api/v1beta`, headers });
  return createAiSdkClient({
    model: (name) => provider(name),
    thinking: { google: { thinkingConfig: { includeThoughts: true, thinkingBudget: 1_024 } } },
  });
});
