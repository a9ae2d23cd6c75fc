export { ApiKeyDialog } from './dialog.tsx';
export { ApiKeyState } from './state.tsx';
