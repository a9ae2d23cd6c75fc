import { LlmComparisonScreen } from '#features/llm-comparison/screen.tsx';

export function LlmComparisonPage() {
  return <LlmComparisonScreen />;
}
