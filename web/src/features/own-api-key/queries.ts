// The dashboard asks for it, too.
export { ownApiKeyQuery } from '../../lib/own-api-key.ts';
