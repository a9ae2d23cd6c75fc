import { ConsoleError } from '#errors/console-error.ts';
import { OpenIdError, type OpenIdFailure } from '#openid/openid-error.ts';

const explanations: Readonly<
  Record<OpenIdFailure, readonly [status: number, text: (name: string) => string]>
> = {
  unreachable: [
    502,
    (name) => `${name} is not available. Try again later, or sign in with a password if you have one.`,
  ],
  refused: [403, (name) => `${name} rejected the sign-in. Try again, or ask your administrator.`],
  invalid: [400, (name) => `The response of ${name} could not be verified. Start the sign-in again.`],
};

/** `name` is the provider's name. */
export async function explainFailure<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OpenIdError)) throw error;
    const [status, text] = explanations[error.kind];
    throw new ConsoleError(status, `${text(name)} (${error.message}.)`);
  }
}
