import { lazyPart } from '#lib/lazy-part.tsx';

export const TokensOfAccount = lazyPart(() => import('./account-tokens.tsx'), 'TokensOfAccount');
