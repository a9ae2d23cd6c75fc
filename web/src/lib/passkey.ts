import type { NewPasskeyJson, PasskeySignatureJson } from '@sluice/contract';
import { explainedError } from './describe-failure.ts';

type OptionsJson = Readonly<Record<string, unknown>>;

/** Whether the browser supports the JSON methods of WebAuthn and the page may use them. */
export function canUsePasskeys(): boolean {
  return (
    window.isSecureContext &&
    typeof PublicKeyCredential === 'function' &&
    typeof PublicKeyCredential.parseCreationOptionsFromJSON === 'function'
  );
}

/**
 * Creates a passkey with the browser's dialog and returns the response as JSON.
 * @throws ApiError with the reason and what to do, if the browser returned no passkey.
 */
export function createPasskey(options: OptionsJson): Promise<NewPasskeyJson> {
  return askBrowser(() => {
    // safe because the server creates the options in the WebAuthn format
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options as never);
    return navigator.credentials.create({ publicKey });
  });
}

/**
 * Signs with a passkey in the browser's dialog and returns the response as JSON.
 * @throws ApiError with the reason and what to do, if the browser returned no signature.
 */
export function signWithPasskey(options: OptionsJson): Promise<PasskeySignatureJson> {
  return askBrowser(() => navigator.credentials.get({ publicKey: parseRequest(options) }));
}

export async function canAutofillPasskeys(): Promise<boolean> {
  return canUsePasskeys() && ((await PublicKeyCredential.isConditionalMediationAvailable?.()) ?? false);
}

/** Resolves when the user chooses a passkey in the autofill of a field. Rejects when `signal` aborts. */
export function signFromAutofill(options: OptionsJson, signal: AbortSignal): Promise<PasskeySignatureJson> {
  const request = { publicKey: parseRequest(options), mediation: 'conditional', signal } as const;
  return askBrowser(() => navigator.credentials.get(request));
}

// safe because the server creates the options in the WebAuthn format
const parseRequest = (options: OptionsJson) =>
  PublicKeyCredential.parseRequestOptionsFromJSON(options as never);

async function askBrowser<Json>(ask: () => Promise<Credential | null>): Promise<Json> {
  if (!canUsePasskeys()) throw explainedError(explanations.NotSupportedError);
  try {
    const credential = await ask();
    if (!(credential instanceof PublicKeyCredential)) throw explainedError(explanations.NotAllowedError);
    // safe because WebAuthn defines these fields, and the server validates them
    return credential.toJSON() as Json;
  } catch (error) {
    const name = error instanceof Error ? error.name : '';
    throw explainedError(explanations[name] ?? explanations.NotAllowedError);
  }
}

const explanations: Readonly<Record<string, string>> & {
  readonly NotAllowedError: string;
  readonly NotSupportedError: string;
} = {
  NotAllowedError:
    'No passkey was used: the request was canceled or timed out. Try again, or use another method.',
  NotSupportedError:
    'This browser cannot use passkeys here. Use a current browser and the HTTPS URL of Sluice, or another method.',
  InvalidStateError: 'This device already has a passkey for your account.',
  SecurityError: 'Passkeys of this installation do not work at this URL. Open Sluice at its public URL.',
};
