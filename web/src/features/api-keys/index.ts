import { lazyPart } from '#lib/lazy-part.tsx';

export { ApiKeyDialog } from './dialog.tsx';
export { ApiKeyState } from './state.tsx';

export const OwnKeys = lazyPart(() => import('./named-keys.tsx'), 'OwnKeys');

export const OwnKeyDialog = lazyPart(() => import('./own-key-dialog.tsx'), 'OwnKeyDialog');
