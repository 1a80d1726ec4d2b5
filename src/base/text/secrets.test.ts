import { expect, test } from 'vitest'
import { jsonWithoutSecrets, withoutSecrets } from './secrets.ts'

const SECRET = 'hunter2hunter2'

test.each([
  `Password=${SECRET};Server=db`,
  `Raven.Security.Certificate.Password = "${SECRET}"`,
  `Server=a;User Id=sa;Pwd=${SECRET}`,
  `{"AwsSecretKey":"a","SecretKey":"x","password": "${SECRET}"}`,
  `{"Settings":{"ApiKey":"${SECRET}"}}`,
  `DefaultEndpointsProtocol=https;AccountKey=${SECRET}==;EndpointSuffix=x`,
  `Authorization: Bearer ${SECRET}`,
  `authorization: Basic ${SECRET}`,
  `got bearer ${SECRET} from it`,
  `https://admin:${SECRET}@raven.local:8080/x`,
  `https://store.example/backup?sv=1&sig=${SECRET}&x=1`,
  `-----BEGIN RSA PRIVATE KEY-----\n${SECRET}\n-----END RSA PRIVATE KEY-----`,
  `-----BEGIN PRIVATE KEY-----\n${SECRET} cut`,
  `refresh_token=${SECRET}&grant=1`,
  `from Users where client_secret='${SECRET}'`,
])('%s loses its secret', (text) => {
  const left = withoutSecrets(text)
  expect(left).not.toContain(SECRET)
  expect(left).toContain('[removed]')
})

test('tokens are known by their form', () => {
  for (const token of ['eyJhbGciOi.eyJzdWIiOi.SflKxwRJ', 'AKIAIOSFODNN7EXAMPLE', `ghp_${'a'.repeat(36)}`])
    expect(withoutSecrets(`key ${token} ends`)).toBe('key [removed] ends')
})

test.each([
  '31 journal writes, the longest 61 ms',
  'from Users where name = "Token" order by age',
  'The index “Orders/ByCompany” of “shop” is far behind.',
  '/data/Databases/shop/Journals/0000000000000000012.journal',
  'https://raven.local:8080/databases/shop',
  'Certificate 5A1FDF5C7B7E1B2F3C4D5E6F7A8B9C0D1E2F3A4B',
])('%s stays as it is', (text) => {
  expect(withoutSecrets(text)).toBe(text)
})

test('JSON stays JSON, and keeps every byte but its secrets', () => {
  const before = String.raw`{ "Etag": 12345678901234567890, "Price":1.10,"Password" : "${SECRET}\"x", "Pfx":"${SECRET}", "ApiKey":"",
    "Maps":["from u in docs select new { Password = \"${SECRET}\", u.Name }"],"Url":"https://a:${SECRET}@b/", "Secret": 5, "Name":"Token"}`
  const left = jsonWithoutSecrets(before)
  expect(left).not.toContain(SECRET)
  expect(left).toContain(
    '{ "Etag": 12345678901234567890, "Price":1.10,"Password" : "[removed]", "Pfx":"[removed]", "ApiKey":"",',
  )
  expect(left).toContain('"Secret": 5, "Name":"Token"}')
  expect(JSON.parse(left)).toMatchObject({ Maps: ['from u in docs select new { Password = [removed], u.Name }'] })
  expect(jsonWithoutSecrets('{"a":"b\\u0022","c":"cut')).toBe('{"a":"b\\u0022","c":"cut')
})
