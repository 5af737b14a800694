import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary } from "@zxcvbn-ts/language-common";

/** The passwords with 12 characters or more among the 100,000 most common (SecLists) that the library's list and patterns miss. */
const COMMON =
  `141312190296q lockingservi ytpfdbcbvjcnm 1rus27540102 zcfvfzrhfcbdfz xxpa33bq.adna vbybcnthcndj q80661658441
  nhbybnhjnjkejk 1223505sayana vtnhjgjkbnty tfjunwptzsjp salocaluimsg perasperaadastra idedevicep0t ghjcnhfycndj
  ghjbpdjlcndj gankutsuou1989 efwe5tgwa5twhgd dvtcntyfdctulf czps5nyndwcksc cheaphornybastard avadakedavra antoshenechka
  30secondstomars 1324354657687980 0528325452mr zghjcnjcegth yjdjvjcrjdcr tojiik85521133 seo21saafd23 ..qlvvcvdeero
  newt7899onrs neversaynever neversaymypassword louisvuitton intervention gthgtylbrekzh flvbybcnhfwbz diunilaobu8*
  den1020834880 constitution cbvtycbyjrbz callscesetup awdqseawdssa alertpaydoubl alertemailms 80966095182z 80633459472qw
  277rte87hryloitru`.split(/\s+/);
/** Frequent words of passwords here that the library's list lacks. */
const WORDS =
  "nigeria naija lagos abuja kaduna company office payment payments crypto bitcoin paylink console wallet".split(
    " ",
  );
/**
 * The characters of a password that are estimated. An estimate runs on the event loop, and its work grows with the square of the length. A
 * password that begins with so many characters that are hard to guess is hard to guess.
 */
const MAX_ESTIMATED = 32;
/** The score of a password that 10^10 guesses do not find, and of one that 10^6 do not. */
const STRONG = 4;
const FAIR = 2;
const SHORTEST_OWN = 3;

let estimator: ZxcvbnFactory | null = null;

/**
 * True for a password that attackers try early (NIST SP 800-63B-4, section 3.1.1.2): one of the most common, or one made of them, of rows
 * of keys, dates and repetitions, so that fewer than 10^10 guesses find it. The same for one that is little else than parts of the
 * person's own e-mail address.
 */
export function isGuessable(password: string, email: string): boolean {
  estimator ??= new ZxcvbnFactory({
    dictionary: { ...dictionary, common: [...WORDS, ...COMMON] },
    graphs: adjacencyGraphs,
  });
  const known = estimator;
  const own = email.toLowerCase().split(/[^\p{L}\p{N}]+/u);
  const parts = [...own, "paylink"].filter(({ length }) => length >= SHORTEST_OWN);
  const rest = parts.reduce((left, part) => left.replaceAll(part, ""), password.toLowerCase());
  const unknown = rest.replace(/[^\p{L}\p{N}]+/gu, "");
  const isBelow = (text: string, score: number) => known.check(text.slice(0, MAX_ESTIMATED)).score < score;
  return isBelow(password, STRONG) || isBelow(unknown, FAIR);
}
