import { lazyPart } from '#lib/lazy-part.tsx';

export const BudgetsSection = lazyPart(() => import('./use.tsx'), 'BudgetsSection');
export const OwnBudgets = lazyPart(() => import('./use.tsx'), 'OwnBudgets');
