import { lazyPart } from '#lib/lazy-part.tsx';

export const BudgetsSection = lazyPart(() => import('./use.tsx'), 'BudgetsSection');
export const ProviderBudgets = lazyPart(() => import('./use.tsx'), 'ProviderBudgets');
export const OwnBudgets = lazyPart(() => import('./own.tsx'), 'OwnBudgets');
