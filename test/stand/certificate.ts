import { type KeyObject, sign } from "node:crypto";

/** Just enough DER to write a self-signed certificate, which docker-registry wants as the root of its tokens. */

const tlv = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts);
  const size = body.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), body]);
};
const sequence = (...parts: Buffer[]): Buffer => tlv(0x30, ...parts);
const time = (date: Date): Buffer => tlv(0x18, Buffer.from(`${date.toISOString().replace(/[-:T]|\.\d+/g, "")}`));

/** sha256WithRSAEncryption, with its NULL parameter. */
const RS256 = sequence(tlv(0x06, Buffer.from("2a864886f70d01010b", "hex")), tlv(0x05));

/** A self-signed certificate (DER) for an RSA key pair, valid for a day around `now`. */
export function selfSigned(name: string, keys: { publicKey: KeyObject; privateKey: KeyObject }, now: Date): Buffer {
  const day = 86_400_000;
  const commonName = sequence(tlv(0x31, sequence(tlv(0x06, Buffer.from("550403", "hex")), tlv(0x0c, Buffer.from(name)))));
  const signed = sequence(
    tlv(0x02, Buffer.from([1])),
    RS256,
    commonName,
    sequence(time(new Date(now.getTime() - day)), time(new Date(now.getTime() + day))),
    commonName,
    keys.publicKey.export({ type: "spki", format: "der" }),
  );
  return sequence(signed, RS256, tlv(0x03, Buffer.from([0]), sign("sha256", signed, keys.privateKey)));
}

export const pem = (der: Buffer): string =>
  `-----BEGIN CERTIFICATE-----\n${der.toString("base64").replace(/(.{64})/g, "$1\n")}\n-----END CERTIFICATE-----\n`;
