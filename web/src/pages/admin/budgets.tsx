import { BudgetsScreen } from '#features/budgets/screen.tsx';

export function BudgetsPage() {
  return <BudgetsScreen />;
}
