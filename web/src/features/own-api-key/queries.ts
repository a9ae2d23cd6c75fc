// The dashboard uses it too.
export { ownApiKeyQuery } from '../../lib/own-api-key.ts';
