/** The operator chose a password for the first administrator that anybody would guess; `message` says what to do. */
export class CommonPasswordError extends Error {
  override readonly name = 'CommonPasswordError';

  constructor() {
    super(
      'SLUICE_ADMIN_PASSWORD is one of the most common passwords. Choose another one, or leave it out: then one is made and shown once.',
    );
  }
}
