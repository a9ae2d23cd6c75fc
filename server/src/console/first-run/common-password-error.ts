/** Thrown when the first administrator's password is a common one; `message` says what to do. */
export class CommonPasswordError extends Error {
  override readonly name = 'CommonPasswordError';

  constructor() {
    super(
      'SLUICE_ADMIN_PASSWORD is one of the most common passwords. Choose another one, or leave it out: then one is made and shown once.',
    );
  }
}
