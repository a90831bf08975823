// Written by Tools/ship.
#include "CShipped.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char file0[] = {
#embed "../../../Fixtures/market/bodies/candles-bitcoin-usd-1d.json"
};
static const unsigned char file1[] = {
#embed "../../../Fixtures/market/bodies/candles-bitcoin-usd-30d.json"
};
static const unsigned char file2[] = {
#embed "../../../Fixtures/market/bodies/candles-bitcoin-usd-365d.json"
};
static const unsigned char file3[] = {
#embed "../../../Fixtures/market/bodies/candles-bitcoin-usd-7d.json"
};
static const unsigned char file4[] = {
#embed "../../../Fixtures/market/bodies/candles-dogecoin-usd-1d.json"
};
static const unsigned char file5[] = {
#embed "../../../Fixtures/market/bodies/candles-dogecoin-usd-30d.json"
};
static const unsigned char file6[] = {
#embed "../../../Fixtures/market/bodies/candles-dogecoin-usd-365d.json"
};
static const unsigned char file7[] = {
#embed "../../../Fixtures/market/bodies/candles-dogecoin-usd-7d.json"
};
static const unsigned char file8[] = {
#embed "../../../Fixtures/market/bodies/candles-ethereum-usd-1d.json"
};
static const unsigned char file9[] = {
#embed "../../../Fixtures/market/bodies/candles-ethereum-usd-30d.json"
};
static const unsigned char file10[] = {
#embed "../../../Fixtures/market/bodies/candles-ethereum-usd-365d.json"
};
static const unsigned char file11[] = {
#embed "../../../Fixtures/market/bodies/candles-ethereum-usd-7d.json"
};
static const unsigned char file12[] = {
#embed "../../../Fixtures/market/bodies/candles-shiba-inu-usd-1d.json"
};
static const unsigned char file13[] = {
#embed "../../../Fixtures/market/bodies/candles-shiba-inu-usd-30d.json"
};
static const unsigned char file14[] = {
#embed "../../../Fixtures/market/bodies/candles-shiba-inu-usd-365d.json"
};
static const unsigned char file15[] = {
#embed "../../../Fixtures/market/bodies/candles-shiba-inu-usd-7d.json"
};
static const unsigned char file16[] = {
#embed "../../../Fixtures/market/bodies/candles-solana-usd-1d.json"
};
static const unsigned char file17[] = {
#embed "../../../Fixtures/market/bodies/candles-solana-usd-30d.json"
};
static const unsigned char file18[] = {
#embed "../../../Fixtures/market/bodies/candles-solana-usd-365d.json"
};
static const unsigned char file19[] = {
#embed "../../../Fixtures/market/bodies/candles-solana-usd-7d.json"
};
static const unsigned char file20[] = {
#embed "../../../Fixtures/market/bodies/coins-list.json"
};
static const unsigned char file21[] = {
#embed "../../../Fixtures/market/bodies/detail-bitcoin-btc.json"
};
static const unsigned char file22[] = {
#embed "../../../Fixtures/market/bodies/detail-bitcoin-eur.json"
};
static const unsigned char file23[] = {
#embed "../../../Fixtures/market/bodies/detail-bitcoin-gbp.json"
};
static const unsigned char file24[] = {
#embed "../../../Fixtures/market/bodies/detail-bitcoin-usd.json"
};
static const unsigned char file25[] = {
#embed "../../../Fixtures/market/bodies/detail-dogecoin-btc.json"
};
static const unsigned char file26[] = {
#embed "../../../Fixtures/market/bodies/detail-dogecoin-eur.json"
};
static const unsigned char file27[] = {
#embed "../../../Fixtures/market/bodies/detail-dogecoin-gbp.json"
};
static const unsigned char file28[] = {
#embed "../../../Fixtures/market/bodies/detail-dogecoin-usd.json"
};
static const unsigned char file29[] = {
#embed "../../../Fixtures/market/bodies/detail-ethereum-btc.json"
};
static const unsigned char file30[] = {
#embed "../../../Fixtures/market/bodies/detail-ethereum-eur.json"
};
static const unsigned char file31[] = {
#embed "../../../Fixtures/market/bodies/detail-ethereum-gbp.json"
};
static const unsigned char file32[] = {
#embed "../../../Fixtures/market/bodies/detail-ethereum-usd.json"
};
static const unsigned char file33[] = {
#embed "../../../Fixtures/market/bodies/detail-shiba-inu-btc.json"
};
static const unsigned char file34[] = {
#embed "../../../Fixtures/market/bodies/detail-shiba-inu-eur.json"
};
static const unsigned char file35[] = {
#embed "../../../Fixtures/market/bodies/detail-shiba-inu-gbp.json"
};
static const unsigned char file36[] = {
#embed "../../../Fixtures/market/bodies/detail-shiba-inu-usd.json"
};
static const unsigned char file37[] = {
#embed "../../../Fixtures/market/bodies/detail-solana-btc.json"
};
static const unsigned char file38[] = {
#embed "../../../Fixtures/market/bodies/detail-solana-eur.json"
};
static const unsigned char file39[] = {
#embed "../../../Fixtures/market/bodies/detail-solana-gbp.json"
};
static const unsigned char file40[] = {
#embed "../../../Fixtures/market/bodies/detail-solana-usd.json"
};
static const unsigned char file41[] = {
#embed "../../../Fixtures/market/bodies/error-cloudflare.html"
};
static const unsigned char file42[] = {
#embed "../../../Fixtures/market/bodies/error-quotes-empty.json"
};
static const unsigned char file43[] = {
#embed "../../../Fixtures/market/bodies/error-rate-limited.json"
};
static const unsigned char file44[] = {
#embed "../../../Fixtures/market/bodies/line-bitcoin-usd-1d.json"
};
static const unsigned char file45[] = {
#embed "../../../Fixtures/market/bodies/line-bitcoin-usd-30d.json"
};
static const unsigned char file46[] = {
#embed "../../../Fixtures/market/bodies/line-bitcoin-usd-365d.json"
};
static const unsigned char file47[] = {
#embed "../../../Fixtures/market/bodies/line-bitcoin-usd-7d.json"
};
static const unsigned char file48[] = {
#embed "../../../Fixtures/market/bodies/line-dogecoin-usd-1d.json"
};
static const unsigned char file49[] = {
#embed "../../../Fixtures/market/bodies/line-dogecoin-usd-30d.json"
};
static const unsigned char file50[] = {
#embed "../../../Fixtures/market/bodies/line-dogecoin-usd-365d.json"
};
static const unsigned char file51[] = {
#embed "../../../Fixtures/market/bodies/line-dogecoin-usd-7d.json"
};
static const unsigned char file52[] = {
#embed "../../../Fixtures/market/bodies/line-ethereum-usd-1d.json"
};
static const unsigned char file53[] = {
#embed "../../../Fixtures/market/bodies/line-ethereum-usd-30d.json"
};
static const unsigned char file54[] = {
#embed "../../../Fixtures/market/bodies/line-ethereum-usd-365d.json"
};
static const unsigned char file55[] = {
#embed "../../../Fixtures/market/bodies/line-ethereum-usd-7d.json"
};
static const unsigned char file56[] = {
#embed "../../../Fixtures/market/bodies/line-shiba-inu-usd-1d.json"
};
static const unsigned char file57[] = {
#embed "../../../Fixtures/market/bodies/line-shiba-inu-usd-30d.json"
};
static const unsigned char file58[] = {
#embed "../../../Fixtures/market/bodies/line-shiba-inu-usd-365d.json"
};
static const unsigned char file59[] = {
#embed "../../../Fixtures/market/bodies/line-shiba-inu-usd-7d.json"
};
static const unsigned char file60[] = {
#embed "../../../Fixtures/market/bodies/line-solana-usd-1d.json"
};
static const unsigned char file61[] = {
#embed "../../../Fixtures/market/bodies/line-solana-usd-30d.json"
};
static const unsigned char file62[] = {
#embed "../../../Fixtures/market/bodies/line-solana-usd-365d.json"
};
static const unsigned char file63[] = {
#embed "../../../Fixtures/market/bodies/line-solana-usd-7d.json"
};
static const unsigned char file64[] = {
#embed "../../../Fixtures/market/bodies/quotes-btc.json"
};
static const unsigned char file65[] = {
#embed "../../../Fixtures/market/bodies/quotes-eur.json"
};
static const unsigned char file66[] = {
#embed "../../../Fixtures/market/bodies/quotes-gbp.json"
};
static const unsigned char file67[] = {
#embed "../../../Fixtures/market/bodies/quotes-usd.json"
};
static const unsigned char file68[] = {
#embed "../../../Fixtures/market/recording.har"
};
static const unsigned char file69[] = {
#embed "../../../imports/binance-trades.yaml"
};
static const unsigned char file70[] = {
#embed "../../../imports/binance.yaml"
};
static const unsigned char file71[] = {
#embed "../../../imports/coinbase.yaml"
};
static const unsigned char file72[] = {
#embed "../../../imports/cointracking.yaml"
};
static const unsigned char file73[] = {
#embed "../../../imports/delta.yaml"
};
static const unsigned char file74[] = {
#embed "../../../imports/ghostfolio.yaml"
};
static const unsigned char file75[] = {
#embed "../../../imports/koinly.yaml"
};
static const unsigned char file76[] = {
#embed "../../../imports/kraken-ledgers.yaml"
};
static const unsigned char file77[] = {
#embed "../../../imports/kraken-trades.yaml"
};
static const unsigned char file78[] = {
#embed "../../../providers/alphavantage.yaml"
};
static const unsigned char file79[] = {
#embed "../../../providers/binance.yaml"
};
static const unsigned char file80[] = {
#embed "../../../providers/bitstamp.yaml"
};
static const unsigned char file81[] = {
#embed "../../../providers/coinbase.yaml"
};
static const unsigned char file82[] = {
#embed "../../../providers/coinpaprika.yaml"
};
static const unsigned char file83[] = {
#embed "../../../providers/ecb.yaml"
};
static const unsigned char file84[] = {
#embed "../../../providers/fixture.yaml"
};
static const unsigned char file85[] = {
#embed "../../../providers/frankfurter.yaml"
};
static const unsigned char file86[] = {
#embed "../../../providers/gemini.yaml"
};
static const unsigned char file87[] = {
#embed "../../../providers/kraken.yaml"
};
static const unsigned char file88[] = {
#embed "../../../providers/kucoin.yaml"
};
static const unsigned char file89[] = {
#embed "../../../providers/stooq.yaml"
};
static const unsigned char file90[] = {
#embed "../../../providers/yahoo.yaml"
};
static const unsigned char file91[] = {
#embed "../../../docs/schemas/provider.json"
};

static const bitpal_shipped_file files[] = {
  {"Fixtures/market/bodies/candles-bitcoin-usd-1d.json", file0, sizeof file0},
  {"Fixtures/market/bodies/candles-bitcoin-usd-30d.json", file1, sizeof file1},
  {"Fixtures/market/bodies/candles-bitcoin-usd-365d.json", file2, sizeof file2},
  {"Fixtures/market/bodies/candles-bitcoin-usd-7d.json", file3, sizeof file3},
  {"Fixtures/market/bodies/candles-dogecoin-usd-1d.json", file4, sizeof file4},
  {"Fixtures/market/bodies/candles-dogecoin-usd-30d.json", file5, sizeof file5},
  {"Fixtures/market/bodies/candles-dogecoin-usd-365d.json", file6, sizeof file6},
  {"Fixtures/market/bodies/candles-dogecoin-usd-7d.json", file7, sizeof file7},
  {"Fixtures/market/bodies/candles-ethereum-usd-1d.json", file8, sizeof file8},
  {"Fixtures/market/bodies/candles-ethereum-usd-30d.json", file9, sizeof file9},
  {"Fixtures/market/bodies/candles-ethereum-usd-365d.json", file10, sizeof file10},
  {"Fixtures/market/bodies/candles-ethereum-usd-7d.json", file11, sizeof file11},
  {"Fixtures/market/bodies/candles-shiba-inu-usd-1d.json", file12, sizeof file12},
  {"Fixtures/market/bodies/candles-shiba-inu-usd-30d.json", file13, sizeof file13},
  {"Fixtures/market/bodies/candles-shiba-inu-usd-365d.json", file14, sizeof file14},
  {"Fixtures/market/bodies/candles-shiba-inu-usd-7d.json", file15, sizeof file15},
  {"Fixtures/market/bodies/candles-solana-usd-1d.json", file16, sizeof file16},
  {"Fixtures/market/bodies/candles-solana-usd-30d.json", file17, sizeof file17},
  {"Fixtures/market/bodies/candles-solana-usd-365d.json", file18, sizeof file18},
  {"Fixtures/market/bodies/candles-solana-usd-7d.json", file19, sizeof file19},
  {"Fixtures/market/bodies/coins-list.json", file20, sizeof file20},
  {"Fixtures/market/bodies/detail-bitcoin-btc.json", file21, sizeof file21},
  {"Fixtures/market/bodies/detail-bitcoin-eur.json", file22, sizeof file22},
  {"Fixtures/market/bodies/detail-bitcoin-gbp.json", file23, sizeof file23},
  {"Fixtures/market/bodies/detail-bitcoin-usd.json", file24, sizeof file24},
  {"Fixtures/market/bodies/detail-dogecoin-btc.json", file25, sizeof file25},
  {"Fixtures/market/bodies/detail-dogecoin-eur.json", file26, sizeof file26},
  {"Fixtures/market/bodies/detail-dogecoin-gbp.json", file27, sizeof file27},
  {"Fixtures/market/bodies/detail-dogecoin-usd.json", file28, sizeof file28},
  {"Fixtures/market/bodies/detail-ethereum-btc.json", file29, sizeof file29},
  {"Fixtures/market/bodies/detail-ethereum-eur.json", file30, sizeof file30},
  {"Fixtures/market/bodies/detail-ethereum-gbp.json", file31, sizeof file31},
  {"Fixtures/market/bodies/detail-ethereum-usd.json", file32, sizeof file32},
  {"Fixtures/market/bodies/detail-shiba-inu-btc.json", file33, sizeof file33},
  {"Fixtures/market/bodies/detail-shiba-inu-eur.json", file34, sizeof file34},
  {"Fixtures/market/bodies/detail-shiba-inu-gbp.json", file35, sizeof file35},
  {"Fixtures/market/bodies/detail-shiba-inu-usd.json", file36, sizeof file36},
  {"Fixtures/market/bodies/detail-solana-btc.json", file37, sizeof file37},
  {"Fixtures/market/bodies/detail-solana-eur.json", file38, sizeof file38},
  {"Fixtures/market/bodies/detail-solana-gbp.json", file39, sizeof file39},
  {"Fixtures/market/bodies/detail-solana-usd.json", file40, sizeof file40},
  {"Fixtures/market/bodies/error-cloudflare.html", file41, sizeof file41},
  {"Fixtures/market/bodies/error-quotes-empty.json", file42, sizeof file42},
  {"Fixtures/market/bodies/error-rate-limited.json", file43, sizeof file43},
  {"Fixtures/market/bodies/line-bitcoin-usd-1d.json", file44, sizeof file44},
  {"Fixtures/market/bodies/line-bitcoin-usd-30d.json", file45, sizeof file45},
  {"Fixtures/market/bodies/line-bitcoin-usd-365d.json", file46, sizeof file46},
  {"Fixtures/market/bodies/line-bitcoin-usd-7d.json", file47, sizeof file47},
  {"Fixtures/market/bodies/line-dogecoin-usd-1d.json", file48, sizeof file48},
  {"Fixtures/market/bodies/line-dogecoin-usd-30d.json", file49, sizeof file49},
  {"Fixtures/market/bodies/line-dogecoin-usd-365d.json", file50, sizeof file50},
  {"Fixtures/market/bodies/line-dogecoin-usd-7d.json", file51, sizeof file51},
  {"Fixtures/market/bodies/line-ethereum-usd-1d.json", file52, sizeof file52},
  {"Fixtures/market/bodies/line-ethereum-usd-30d.json", file53, sizeof file53},
  {"Fixtures/market/bodies/line-ethereum-usd-365d.json", file54, sizeof file54},
  {"Fixtures/market/bodies/line-ethereum-usd-7d.json", file55, sizeof file55},
  {"Fixtures/market/bodies/line-shiba-inu-usd-1d.json", file56, sizeof file56},
  {"Fixtures/market/bodies/line-shiba-inu-usd-30d.json", file57, sizeof file57},
  {"Fixtures/market/bodies/line-shiba-inu-usd-365d.json", file58, sizeof file58},
  {"Fixtures/market/bodies/line-shiba-inu-usd-7d.json", file59, sizeof file59},
  {"Fixtures/market/bodies/line-solana-usd-1d.json", file60, sizeof file60},
  {"Fixtures/market/bodies/line-solana-usd-30d.json", file61, sizeof file61},
  {"Fixtures/market/bodies/line-solana-usd-365d.json", file62, sizeof file62},
  {"Fixtures/market/bodies/line-solana-usd-7d.json", file63, sizeof file63},
  {"Fixtures/market/bodies/quotes-btc.json", file64, sizeof file64},
  {"Fixtures/market/bodies/quotes-eur.json", file65, sizeof file65},
  {"Fixtures/market/bodies/quotes-gbp.json", file66, sizeof file66},
  {"Fixtures/market/bodies/quotes-usd.json", file67, sizeof file67},
  {"Fixtures/market/recording.har", file68, sizeof file68},
  {"imports/binance-trades.yaml", file69, sizeof file69},
  {"imports/binance.yaml", file70, sizeof file70},
  {"imports/coinbase.yaml", file71, sizeof file71},
  {"imports/cointracking.yaml", file72, sizeof file72},
  {"imports/delta.yaml", file73, sizeof file73},
  {"imports/ghostfolio.yaml", file74, sizeof file74},
  {"imports/koinly.yaml", file75, sizeof file75},
  {"imports/kraken-ledgers.yaml", file76, sizeof file76},
  {"imports/kraken-trades.yaml", file77, sizeof file77},
  {"providers/alphavantage.yaml", file78, sizeof file78},
  {"providers/binance.yaml", file79, sizeof file79},
  {"providers/bitstamp.yaml", file80, sizeof file80},
  {"providers/coinbase.yaml", file81, sizeof file81},
  {"providers/coinpaprika.yaml", file82, sizeof file82},
  {"providers/ecb.yaml", file83, sizeof file83},
  {"providers/fixture.yaml", file84, sizeof file84},
  {"providers/frankfurter.yaml", file85, sizeof file85},
  {"providers/gemini.yaml", file86, sizeof file86},
  {"providers/kraken.yaml", file87, sizeof file87},
  {"providers/kucoin.yaml", file88, sizeof file88},
  {"providers/stooq.yaml", file89, sizeof file89},
  {"providers/yahoo.yaml", file90, sizeof file90},
  {"docs/schemas/provider.json", file91, sizeof file91},
};

const bitpal_shipped_file *bitpal_shipped_files(void) { return files; }

size_t bitpal_shipped_count(void) { return 92; }
