/** Domains of public mail services. Anyone can get an address there, so no tenant can own the domain. */
const publicMailDomains: ReadonlySet<string> = new Set(
  `126.com 163.com aim.com aol.com att.net bluewin.ch comcast.net duck.com fastmail.com fastmail.fm free.fr freenet.de
  gmail.com gmx.at gmx.ch gmx.com gmx.de gmx.net googlemail.com hey.com hotmail.co.uk hotmail.com hotmail.de hotmail.fr
  hushmail.com icloud.com inbox.com laposte.net libero.it live.com live.de mac.com mail.com mail.ru mailbox.org mailfence.com
  me.com msn.com naver.com orange.fr outlook.com outlook.de pm.me posteo.de proton.me protonmail.ch protonmail.com qq.com
  rediffmail.com rocketmail.com seznam.cz sfr.fr sina.com t-online.de tuta.com tutanota.com verizon.net wanadoo.fr web.de
  wp.pl yahoo.co.jp yahoo.co.uk yahoo.com yahoo.de yahoo.fr yandex.com yandex.ru ymail.com zoho.com`.split(
    /\s+/,
  ),
);

export function isPublicMailDomain(domain: string): boolean {
  return publicMailDomains.has(domain);
}

export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1);
}
